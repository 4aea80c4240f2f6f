/* shared_threads.c - four threads add to one filter without a lock. */
#include <pthread.h>
#include <sito/sito.h>
#include <stdio.h>

enum { THREADS = 4, EACH = 100000 };

struct worker {
    sito_filter *f;
    unsigned number;
    int fresh;
};

static uint64_t hash_of(const sito_filter *f, unsigned thread, unsigned i) {
    char key[32];
    return sito_hash_key(f, key, (size_t)sprintf(key, "%u/%u", thread, i));
}

static void *work(void *self) {
    struct worker *w = self;
    for (unsigned i = 0; i < EACH; i++)
        w->fresh += sito_add_shared(w->f, hash_of(w->f, w->number, i));
    return NULL;
}

int main(void) {
    sito_plan plan = {.nkeys = (uint64_t)THREADS * EACH, .fpr = 0.001, .needs = SITO_CAN_SHARE};
    sito_filter *f;
    pthread_t thread[THREADS];
    struct worker worker[THREADS];
    if (sito_new(&plan, NULL, &f) != SITO_OK) return 1;
    for (unsigned t = 0; t < THREADS; t++) {
        worker[t] = (struct worker){.f = f, .number = t};
        if (pthread_create(&thread[t], NULL, work, &worker[t]) != 0) return 1;
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        printf("thread %u: %d of %d keys were certainly new\n", t, worker[t].fresh, EACH);
    }
    int lost = 0;
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < EACH; i++) lost += !sito_maybe_hash(f, hash_of(f, t, i));
    printf("%d keys lost\n", lost);
    sito_free(f);
    return lost ? 1 : 0;
}
