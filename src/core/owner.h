/* owner.h - a draft that is to replace a file takes over whose that is, and who may do what with it. */
#ifndef SITO_OWNER_H
#define SITO_OWNER_H

#include <sys/stat.h>
#include <unistd.h>

/* Where its owner cannot be kept its group often can. A group of our own gets no more than all
 * others: what the old one might do was not meant for it. */
static inline void take_over(int fd, const struct stat *old) {
    mode_t mode = old->st_mode & 07777;
    const mode_t others = mode & 07;
    if (fchown(fd, old->st_uid, old->st_gid)) {
        mode &= 0777;
        if (fchown(fd, (uid_t)-1, old->st_gid)) mode = (mode & 0707) | others << 3;
    }
    fchmod(fd, mode);
}

#endif
