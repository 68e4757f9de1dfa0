// SPDX-License-Identifier: BSD-3-Clause
// A plugin in C++: exceptions, a static with a constructor in a function, an inline variable, a thread's destructor.
#include <stdexcept>
#include <string>

extern "C" int program_pe();
extern "C" void tell(int what);

inline int throws = 0;

struct leaves {
    int n = 0;
    ~leaves()
    {
        tell(6);
    }
};
static thread_local leaves of_thread;

static std::string &text()
{
    static std::string s("made by " + std::to_string(program_pe()));
    return s;
}

static void fall(int deep)
{
    if (deep == 0)
        throw std::runtime_error(text());
    fall(deep - 1);
}

extern "C" int plugin_catch()
{
    ++throws;
    ++of_thread.n;
    try {
        fall(3);
    } catch (const std::exception &e) {
        return e.what() == "made by " + std::to_string(program_pe()) ? 10 * throws + of_thread.n : -1;
    }
    return -2;
}

extern "C" void plugin_throw()
{
    throw std::logic_error(text());
}
