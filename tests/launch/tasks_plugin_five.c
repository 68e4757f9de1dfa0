/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that tasks_plugin.py loads: it calls what nobody has, if it is called so.
 */
int five_nobody_has_this(void);
int five_count(int by);

int five_count(int by)
{
    static int count;

    return by < 0 ? five_nobody_has_this() : (count += by);
}
