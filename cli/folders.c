// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds the models in the folders among the inputs.

#include "cli.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

typedef struct path_list {
    cli_list list; // each path is allocated by malloc
    uint32_t capacity;
} path_list;

// Files and folders already found, by identity instead of name. A hash table with open addressing.
typedef struct id_set {
    cli_file_id *ids; // an empty entry has volume 0 and file 0
    uint32_t count, capacity;
} id_set;

typedef struct walk {
    bool motions;       // find .vrma files too
    bool linked;        // entries are now found through a link
    bool failed;        // out of memory
    const char *folder; // the folder that is being listed
    path_list files;    // models found so far
    path_list folders;  // folders still to be listed
    path_list links;    // links, followed after everything that is found without links
    id_set met;
} walk;

static bool add_path(path_list *paths, const char *folder, const char *name)
{
    if (paths->list.count == paths->capacity) {
        const uint32_t capacity = paths->capacity == 0 ? 16 : paths->capacity * 2;
        const char **items = realloc((void *)paths->list.items, capacity * sizeof(*items));
        if (items == NULL) {
            return false;
        }
        paths->list.items = items;
        paths->capacity = capacity;
    }
    const size_t before = folder != NULL ? strlen(folder) : 0, size = before + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) {
        return false;
    }
    vrmi_format(
        path, size, "%s%s%s", folder != NULL ? folder : "", before == 0 || folder[before - 1] == '/' ? "" : "/", name);
    paths->list.items[paths->list.count++] = path;
    return true;
}

static bool is_free(const cli_file_id *id)
{
    return id->volume == 0 && id->file == 0;
}

static cli_file_id *find_id(const id_set *set, cli_file_id id)
{
    uint64_t hash = (id.file ^ id.volume << 32) * 0x9e3779b97f4a7c15u;
    for (hash ^= hash >> 32;; ++hash) {
        cli_file_id *slot = &set->ids[hash & (set->capacity - 1)];
        if (is_free(slot) || (slot->volume == id.volume && slot->file == id.file)) {
            return slot;
        }
    }
}

static bool grow(id_set *set)
{
    id_set larger = {.count = set->count, .capacity = set->capacity == 0 ? 256 : set->capacity * 2};
    larger.ids = calloc(larger.capacity, sizeof *larger.ids);
    for (uint32_t i = 0; i < set->capacity && larger.ids != NULL; ++i) {
        if (!is_free(&set->ids[i])) {
            *find_id(&larger, set->ids[i]) = set->ids[i];
        }
    }
    if (larger.ids != NULL) {
        free(set->ids);
        *set = larger;
    }
    return larger.ids != NULL;
}

// Returns true if this file or folder is found for the first time, under any name.
static bool is_new(walk *w, const char *path)
{
    cli_file_id id;
    if (!cli_platform_real_id(path, &id) || is_free(&id)) {
        return true; // reading the file will report the reason
    }
    if (w->met.count * 2 >= w->met.capacity && !grow(&w->met)) {
        w->failed = true;
        return false;
    }
    cli_file_id *slot = find_id(&w->met, id);
    const bool first = is_free(slot);
    w->met.count += first;
    *slot = id;
    return first;
}

static bool has_model_suffix(const char *name, bool motions)
{
    return cli_has_suffix(name, ".vrm", true) || cli_has_suffix(name, ".glb", true) ||
           cli_has_suffix(name, ".gltf", true) || (motions && cli_has_suffix(name, ".vrma", true));
}

static void drop_last(path_list *paths)
{
    free((void *)paths->list.items[--paths->list.count]);
}

// Keeps a model; keeps a folder or a link for later.
static bool keep_entry(const char *name, void *user)
{
    walk *w = user;
    if (name[0] == '.') {
        return true;
    }
    if (!add_path(&w->files, w->folder, name)) {
        w->failed = true;
        return false;
    }
    const char *path = w->files.list.items[w->files.list.count - 1];
    const bool model = has_model_suffix(name, w->motions);
    const cli_path_kind kind = cli_platform_path_kind(path, false), real = cli_platform_path_kind(path, true);
    if (kind == CLI_PATH_FILE && model) {
        // Two hard links count as two files, but a file that is found through a symbolic link must be new.
        if (is_new(w, path) || !w->linked) {
            return !w->failed;
        }
    } else if (kind == CLI_PATH_FOLDER) {
        w->failed |= !add_path(&w->folders, w->folder, name);
    } else if (kind == CLI_PATH_OTHER && (real == CLI_PATH_FOLDER || (real == CLI_PATH_FILE && model))) {
        w->failed |= !add_path(&w->links, w->folder, name);
    }
    drop_last(&w->files);
    return !w->failed;
}

// Lists the waiting folders and all folders in them. A folder that cannot be read does not stop the others.
static int open_folders(cli_job *job, walk *w)
{
    int code = CLI_EXIT_DONE;
    while (w->folders.list.count > 0) {
        const char *path = w->folders.list.items[--w->folders.list.count];
        w->folder = path;
        if (!w->failed && is_new(w, path) && !cli_platform_list(path, keep_entry, w) && !w->failed) {
            code = cli_fail(job, CLI_EXIT_INPUT, "%s: the folder could not be read", path);
        }
        free((void *)path);
    }
    return code;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(cli_list *paths)
{
    if (paths->count > 1) {
        qsort((void *)paths->items, paths->count, sizeof(char *), compare_paths);
    }
}

// Follows links last, in the order of their names. A file is then found under its own name if it has one in the folder,
// and under the same name in each run.
static int follow_links(cli_job *job, walk *w)
{
    int code = CLI_EXIT_DONE;
    w->linked = true;
    while (w->links.list.count > 0) { // links found through these links are followed in the next round
        path_list links = w->links;
        w->links = (path_list){0};
        sort(&links.list);
        for (uint32_t i = 0; i < links.list.count; ++i) {
            const char *path = links.list.items[i];
            if (cli_platform_path_kind(path, true) == CLI_PATH_FILE) {
                w->failed |= is_new(w, path) && !add_path(&w->files, NULL, path);
            } else {
                w->failed |= !add_path(&w->folders, NULL, path);
                const int opened = open_folders(job, w);
                code = opened > code ? opened : code;
            }
        }
        cli_free_paths(&links.list);
    }
    return code;
}

static int expand_folder(cli_job *job, bool motions, const char *folder, path_list *out_paths)
{
    walk w = {.motions = motions};
    w.failed = !add_path(&w.folders, NULL, folder);
    int code = open_folders(job, &w);
    const int followed = follow_links(job, &w);
    code = followed > code ? followed : code;
    sort(&w.files.list);
    if (w.files.list.count == 0 && code == CLI_EXIT_DONE && !w.failed) {
        code = cli_fail(job, CLI_EXIT_INPUT, "%s: no .vrm, .glb%s .gltf%s in this folder", folder,
            motions ? "," : " or", motions ? " or .vrma" : "");
    }
    for (uint32_t i = 0; i < w.files.list.count; ++i) {
        w.failed |= !add_path(out_paths, NULL, w.files.list.items[i]);
    }
    cli_free_paths(&w.files.list);
    cli_free_paths(&w.folders.list);
    cli_free_paths(&w.links.list);
    free(w.met.ids);
    return w.failed ? cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY)) : code;
}

int cli_expand_folders(cli_job *job, const cli_inputs *inputs, bool motions, cli_list *out_paths)
{
    path_list paths = {0};
    int code = CLI_EXIT_DONE;
    for (uint32_t i = 0; i < inputs->count; ++i) {
        const char *path = inputs->items[i];
        if (strcmp(path, "-") != 0 && cli_platform_path_kind(path, true) == CLI_PATH_FOLDER) {
            const int folder_code = expand_folder(job, motions, path, &paths);
            code = folder_code > code ? folder_code : code;
        } else if (!add_path(&paths, NULL, path)) {
            code = cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
        }
    }
    *out_paths = paths.list;
    return code;
}

void cli_free_paths(cli_list *paths)
{
    for (uint32_t i = 0; i < paths->count; ++i) {
        free((void *)paths->items[i]);
    }
    free((void *)paths->items);
    *paths = (cli_list){0};
}
