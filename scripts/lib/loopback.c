/* For LD_PRELOAD. adbd gives whoever connects a shell, without asking, and listens on every network
 * the computer is on; there is no setting for it. With this it is heard only on this computer. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int bind(int fd, const struct sockaddr *address, socklen_t length) {
    if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in own;
        memcpy(&own, address, sizeof own);
        own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return syscall(SYS_bind, fd, &own, sizeof own);
    }
    if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 own;
        memcpy(&own, address, sizeof own);
        /* ::ffff:127.0.0.1 */
        static const struct in6_addr loopback = {
            {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}}};
        own.sin6_addr = loopback;
        return syscall(SYS_bind, fd, &own, sizeof own);
    }
    return syscall(SYS_bind, fd, address, length);
}
