// SPDX-License-Identifier: BSD-3-Clause
// Streams, exceptions and locales of C++ in each PE, mixed with those of C.
#include <shmem.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

struct base {
    virtual ~base() = default;
    virtual int value() const
    {
        return 1;
    }
};

struct derived : base {
    int value() const override
    {
        return 2;
    }
};

struct point : std::numpunct<char> {
    char do_decimal_point() const override
    {
        return ',';
    }
};

std::map<std::string, int> table{{"one", 1}};

struct farewell {
    ~farewell()
    {
        std::cout << "farewell of " << table["me"] << '\n';
    }
} at_end;

void output(int me)
{
    std::cout << std::setw(6) << std::setfill('.') << me << " by cout";
    shmem_barrier_all();
    std::printf(", by printf");
    shmem_barrier_all();
    std::cout << ", " << std::hex << 255 << std::endl;
    shmem_barrier_all();
    std::cout << 16 + me << std::dec << '\n' << std::flush;
    std::cerr << "by cerr " << me << '\n';
    std::clog << "by clog " << me << std::endl;
}

void input(int me)
{
    std::string word;
    std::cout << me << ": " << static_cast<bool>(std::cin >> word) << ' ' << word << " end " << std::cin.eof() << '\n';
}

void exceptions(int me)
{
    for (int turn = 0; turn < 3; turn++) {
        try {
            if (turn == 0)
                throw std::runtime_error("thrown by " + std::to_string(me));
            if (turn == 1)
                std::string().at(5);
            throw me;
        } catch (const std::exception &e) {
            shmem_barrier_all(); // others throw and catch meanwhile
            std::cout << e.what() << '\n';
        } catch (int i) {
            shmem_barrier_all();
            std::cout << "caught " << i << ' ' << std::uncaught_exceptions() << '\n';
        }
    }
}

void others(int me)
{
    base *b = new derived;
    std::cout << b->value() << (dynamic_cast<derived *>(b) != nullptr) << '\n';
    delete b;
    if (me % 2)
        std::locale::global(std::locale(std::locale::classic(), new point));
    shmem_barrier_all();
    std::ostringstream text;
    text << 1.5 + me;
    std::istringstream numbers("3 4");
    int x = 0, y = 0;
    numbers >> x >> y;
    std::mt19937 engine(static_cast<unsigned>(me));
    std::cout << text.str() << ' ' << x + y << ' ' << engine() << ' ' << std::rand() << '\n';
    std::thread([me] { std::cout << "thread of " << me << std::endl; }).join();
}

} // namespace

int main()
{
    shmem_init();
    int me = shmem_my_pe();
    table["me"] = me;
    output(me);
    input(me);
    exceptions(me);
    others(me);
    std::ios_base::sync_with_stdio(false);
    std::cout << "not by stdio " << me << '\n';
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
