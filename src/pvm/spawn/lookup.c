/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which program pvm_spawn means by a name: an absolute path, or a file in one of the
 * folders of PVM_PATH and PATH, in the working folder, or beside the spawning program.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pvm/pvmi.h"
#include "pvm/spawn/spawn.h"

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* ----------------------------------------------------------------- variables -- */

struct text {
    char *p;
    size_t n, room;
};

static bool add(struct text *t, const char *s, size_t n)
{
    if (t->n + n + 1 > t->room) {
        size_t room = 2 * (t->n + n + 1);
        char *p = realloc(t->p, room);
        if (!p)
            return false;
        t->p = p;
        t->room = room;
    }
    memcpy(t->p + t->n, s, n);
    t->n += n;
    t->p[t->n] = '\0';
    return true;
}

/* A variable that is not set is nothing; but the architecture is known. */
static const char *value_of(const char *name, size_t n)
{
    char copy[128];
    const char *value;
    if (n >= sizeof copy)
        return "";
    memcpy(copy, name, n);
    copy[n] = '\0';
    value = core_param_foreign(copy);
    if (!value && strcmp(copy, "PVM_ARCH") == 0)
        return pvmi_arch();
    return value ? value : "";
}

char *pvmi_expand(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    struct text t = {0};
    bool ok = add(&t, "", 0);
    while (ok && *text) {
        size_t n = strcspn(text, "$");
        ok = add(&t, text, n);
        text += n;
        if (!ok || !*text)
            continue;
        n = strspn(++text, letters);
        const char *value = value_of(text, n);
        ok = add(&t, value, strlen(value));
        text += n;
    }
    if (ok)
        return t.p;
    free(t.p);
    return NULL;
}

/* ------------------------------------------------------------------- folders -- */

static char *in_folder(const char *folder, size_t n, const char *file)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%.*s/%s", n ? (int)n : 1, n ? folder : ".", file);
    return len > 0 && len < (int)sizeof path && is_program(path) ? strdup(path) : NULL;
}

static char *in_folders(const char *list, const char *file)
{
    char *found = NULL;
    if (!list || !*list)
        return NULL;
    for (;;) {
        size_t n = strcspn(list, ":");
        if ((found = in_folder(list, n, file)) || !list[n])
            return found;
        list += n + 1;
    }
}

static char *beside_us(const char *file)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    while (n > 0 && path[n - 1] != '/')
        n--;
    return n > 1 ? in_folder(path, (size_t)n - 1, file) : NULL;
}

char *pvmi_find_program(const char *file)
{
    char *path, *folders;
    if (!*file)
        return NULL;
    if (*file == '/')
        return is_program(file) ? strdup(file) : NULL;
    folders = pvmi_expand(core_params.pvm_path);
    path = in_folders(folders, file);
    free(folders);
    if (!path)
        path = in_folders(core_param_foreign("PATH"), file);
    if (!path)
        path = strchr(file, '/') && is_program(file) ? strdup(file) : in_folder(".", 1, file);
    return path ? path : beside_us(file);
}
