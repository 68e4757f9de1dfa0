/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A JSON writer that holds nothing but the need for a comma. Text is taken as UTF-8; quotes, backslashes
 * and control characters are escaped.
 */
#include "bench.h"

static void quote(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;

        if (c == '"' || c == '\\')
            fprintf(f, "\\%c", c);
        else if (c < 0x20)
            fprintf(f, "\\u%04x", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

static void lead(struct bench_json *j, const char *key)
{
    if (j->comma)
        fputc(',', j->f);
    j->comma = true;
    if (!key)
        return;
    quote(j->f, key);
    fputc(':', j->f);
}

void bench_json_open(struct bench_json *j, const char *key, char bracket)
{
    lead(j, key);
    fputc(bracket, j->f);
    j->comma = false;
}

void bench_json_close(struct bench_json *j, char bracket)
{
    fputc(bracket, j->f);
    j->comma = true;
}

void bench_json_text(struct bench_json *j, const char *key, const char *value)
{
    lead(j, key);
    quote(j->f, value);
}

static void write_number(struct bench_json *j, const char *key, double value, int digits)
{
    lead(j, key);
    if (isfinite(value))
        fprintf(j->f, "%.*g", digits, value);
    else
        fputs("null", j->f);
}

void bench_json_number(struct bench_json *j, const char *key, double value)
{
    write_number(j, key, value, 7);
}

void bench_json_short(struct bench_json *j, const char *key, double value)
{
    write_number(j, key, value, 5);
}

void bench_json_exact(struct bench_json *j, const char *key, double value)
{
    write_number(j, key, value, 17);
}

void bench_json_integer(struct bench_json *j, const char *key, long long value)
{
    lead(j, key);
    fprintf(j->f, "%lld", value);
}

void bench_json_bool(struct bench_json *j, const char *key, bool value)
{
    lead(j, key);
    fputs(value ? "true" : "false", j->f);
}
