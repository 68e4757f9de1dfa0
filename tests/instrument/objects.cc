// SPDX-License-Identifier: BSD-3-Clause
//
// C++: atomics of the library, virtual functions, statics of functions, threads, exceptions.
#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct shape {
    virtual ~shape() = default;
    virtual int corners() const
    {
        return 0;
    }
};
struct square : shape {
    int corners() const override
    {
        return 4;
    }
    int side = 3;
};

struct pair_of {
    long a, b;
};

std::atomic<long> sum;
std::atomic<bool> ready;
std::atomic<double> real;
std::atomic<shape *> pointer;

const std::string &name()
{
    static std::string text = std::string(40, 'x') + "end";
    return text;
}

void add(int n)
{
    for (int i = 0; i < n; i++) {
        sum.fetch_add(2, std::memory_order_relaxed);
        sum--;
        double was = real.load();
        while (!real.compare_exchange_weak(was, was + 1))
            ;
    }
}

bool thrown(int n)
{
    try {
        if (n > 2)
            throw std::runtime_error("as expected");
    } catch (const std::exception &e) {
        return std::string(e.what()) == "as expected";
    }
    return false;
}

} // namespace

int main()
{
    std::vector<std::thread> threads;
    std::unique_ptr<shape> one = std::make_unique<square>();
    std::shared_ptr<pair_of> both = std::make_shared<pair_of>(pair_of{1, 2}), more = both;
    pair_of copy = *more;

    for (int i = 0; i < 4; i++)
        threads.emplace_back(add, 10000);
    for (auto &t : threads)
        t.join();
    pointer = one.get();
    ready.store(true);
    bool right = sum == 40000 && real == 40000 && pointer.load()->corners() == 4 && ready.exchange(false) &&
                 name().size() == 43 && thrown(3) && copy.a + copy.b == 3 && both.use_count() == 2;
    std::puts(right ? "objects right" : "objects WRONG");
    return right ? 0 : 1;
}
