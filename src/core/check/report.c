/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SARIF 2.1.0 (OASIS standard) and JSON: what is common is written once, a finding is put before the end.
 */
#include "core/check/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/check/finding.h"
#include "mpt/version.h"

static bool is_sarif(const char *path)
{
    size_t n = strlen(path);

    return n >= 6 && strcmp(path + n - 6, ".sarif") == 0;
}

static const char *end_of(const char *path)
{
    return is_sarif(path) ? "\n]}]}\n" : "\n]}\n";
}

static void field(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\":", name);
    core_json_text(out, text, strlen(text));
}

/* ------------------------------------------------------------------ sites -- */

struct site { /* "ring.c:42 in exchange": file, n bytes, line, and function; line 0: not known */
    const char *file, *function;
    size_t n;
    int line;
};

static struct site site_of(const char *text)
{
    const char *colon = strrchr(text, ':'), *in = strstr(text, " in ");
    struct site s = {.file = text, .function = in ? in + 4 : ""};

    if (!colon || (s.line = atoi(colon + 1)) <= 0)
        return (struct site){.file = "", .function = text};
    s.n = (size_t)(colon - text);
    return s;
}

/* A file as a URI (RFC 3986). */
static void quote_uri(FILE *out, const char *file, size_t n)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+,=@";

    fprintf(out, "\"%s", file[0] == '/' ? "file://" : "");
    for (size_t i = 0; i < n && file[i]; i++)
        fprintf(out, strchr(plain, file[i]) ? "%c" : "%%%02X", (unsigned char)file[i]);
    fputc('"', out);
}

static void sarif_place(FILE *out, const struct core_finding_place *p, bool related)
{
    struct site s = site_of(p->site);

    fputc('{', out);
    if (s.line) {
        fprintf(out, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
        quote_uri(out, s.file, s.n);
        fprintf(out, "},\"region\":{\"startLine\":%d}},", s.line);
    }
    if (related) {
        fprintf(out, "\"message\":{");
        field(out, "text", p->call);
        fprintf(out, "},");
    }
    if (s.function[0]) {
        fprintf(out, "\"logicalLocations\":[{");
        field(out, "name", s.function);
        fprintf(out, "}],");
    }
    fprintf(out, "\"properties\":{\"pe\":%d}}", p->pe);
}

static void sarif_finding(FILE *out, const struct core_finding *f, int pe)
{
    fputc('{', out);
    field(out, "ruleId", core_finding_kinds[f->kind].word);
    fprintf(out, ",\"ruleIndex\":%d,\"level\":\"error\",\"message\":{", (int)f->kind);
    field(out, "text", f->what);
    fprintf(out, "},\"locations\":[");
    if (f->n)
        sarif_place(out, &f->places[0], false);
    fprintf(out, "],\"relatedLocations\":[");
    for (unsigned i = 0; i < f->n; i++) {
        if (i)
            fputc(',', out);
        sarif_place(out, &f->places[i], true);
    }
    fprintf(out, "],\"properties\":{\"pe\":%d,", pe);
    field(out, "standard", f->rule);
    fprintf(out, "}}");
}

static void json_finding(FILE *out, const struct core_finding *f, int pe)
{
    fputc('{', out);
    field(out, "kind", core_finding_kinds[f->kind].word);
    fprintf(out, ",\"pe\":%d,", pe);
    field(out, "what", f->what);
    fputc(',', out);
    field(out, "rule", f->rule);
    fputc(',', out);
    field(out, "help", f->advice[0] ? f->advice : core_finding_kinds[f->kind].help);
    fprintf(out, ",\"places\":[");
    for (unsigned i = 0; i < f->n; i++) {
        struct site s = site_of(f->places[i].site);

        fprintf(out, "%s{\"pe\":%d,", i ? "," : "", f->places[i].pe);
        field(out, "call", f->places[i].call);
        fprintf(out, ",\"file\":");
        core_json_text(out, s.file, s.n);
        fprintf(out, ",\"line\":%d,", s.line);
        field(out, "function", s.function);
        fputc('}', out);
    }
    fprintf(out, "]}");
}

/* ------------------------------------------------------------------- file -- */

static void begin(FILE *out, bool sarif)
{
    if (!sarif) {
        fprintf(out, "{\"tool\":\"mpt\",\"version\":\"%s\",\"findings\":[", MPT_VERSION);
        return;
    }
    fprintf(out,
            "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{"
            "\"tool\":{\"driver\":{\"name\":\"mpt\",\"semanticVersion\":\"%s\",\"rules\":[",
            MPT_VERSION);
    for (int i = 0; i < CORE_FINDING_KINDS; i++) {
        fprintf(out, "%s\n{", i ? "," : "");
        field(out, "id", core_finding_kinds[i].word);
        fprintf(out, ",\"shortDescription\":{");
        field(out, "text", core_finding_kinds[i].what);
        fprintf(out, "},\"help\":{");
        field(out, "text", core_finding_kinds[i].help);
        fprintf(out, "}}");
    }
    fprintf(out, "]}},\"results\":[");
}

static bool write_all(int fd, const char *text, size_t n, off_t at)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, text, n, at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text += done;
        n -= (size_t)done;
        at += done;
    }
    return true;
}

/* What `fill` writes, before the end of the file; with an empty file, after its beginning. */
static int put(const char *path, bool anew, const struct core_finding *f, int pe)
{
    const char *end = end_of(path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    char *text = NULL, last = '[';
    size_t n = 0;
    FILE *out = fd < 0 ? NULL : open_memstream(&text, &n);
    off_t at;
    int rc = 0;

    if (!out) {
        rc = fd < 0 ? -errno : -ENOMEM;
        if (fd >= 0)
            close(fd);
        return rc;
    }
    flock(fd, LOCK_EX);
    if (anew && ftruncate(fd, 0) != 0)
        rc = -errno;
    at = lseek(fd, 0, SEEK_END);
    if (at <= (off_t)strlen(end)) {
        at = 0;
        begin(out, is_sarif(path));
    } else {
        at -= (off_t)strlen(end);
        if (pread(fd, &last, 1, at - 1) != 1)
            last = '[';
    }
    if (f) {
        fprintf(out, "%s\n", last == '[' ? "" : ",");
        if (is_sarif(path))
            sarif_finding(out, f, pe);
        else
            json_finding(out, f, pe);
    }
    fputs(end, out);
    if (fclose(out) != 0 || !text)
        rc = -ENOMEM;
    else if (rc == 0 && !write_all(fd, text, n, at))
        rc = errno ? -errno : -EIO;
    free(text);
    close(fd); /* and its lock */
    return rc;
}

int core_report_begin(const char *path)
{
    int rc = put(path, true, NULL, -1);

    if (rc != 0)
        core_error("cannot write the report of --check to %s: %s", path, strerror(-rc));
    return rc;
}

void core_report_add(const char *path, const struct core_finding *f, int pe)
{
    int rc = put(path, false, f, pe);

    if (rc != 0)
        core_error("cannot write the report of --check to %s: %s", path, strerror(-rc));
}
