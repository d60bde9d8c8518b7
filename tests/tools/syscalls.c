// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * syscalls ROUNDS - a little of many system calls, so that much of the kernel runs.
 *
 * Calls that a kernel does not have are skipped.  If another call fails, the program fails.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define must(x) do { if ((long)(x) == -1) err(1, "line %d: %s", __LINE__, #x); } while (0)
/* Calls that this kernel, or this file system, may not have. */
#define may(x) ((void)((long)(x) == -1))

static const struct timespec a_moment = { .tv_nsec = 1000000 };
static char buf[65536];

static void memory(void)
{
	size_t len = 4 << 20, page = 4096;
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = memfd_create("sweep", 0);
	unsigned char there[1024];

	must(p);
	for (size_t i = 0; i < len; i += page)
		p[i] = 1;
	must(madvise(p, len / 2, MADV_DONTNEED));
	may(madvise(p, len, MADV_HUGEPAGE));
	may(madvise(p, len, MADV_MERGEABLE));
	may(madvise(p, len, MADV_PAGEOUT));
	must(mincore(p, len, there));
	must(mprotect(p + page, page, PROT_READ));
	must(mprotect(p + page, page, PROT_READ | PROT_WRITE));
	must(mlock(p, 16 * page));
	must(munlock(p, 16 * page));
	p = mremap(p, len, 2 * len, MREMAP_MAYMOVE);
	must(p);
	must(munmap(p, 2 * len));
	must(ftruncate(fd, len));
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(p);
	memset(p, 1, len / 4);
	must(msync(p, len, MS_SYNC));
	may(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, page));
	must(munmap(p, len));
	close(fd);
	may(syscall(SYS_membarrier, 1, 0, 0));
	may(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0));
}

static void ipc(void)
{
	struct sembuf up = { .sem_op = 1 }, down = { .sem_op = -1 };
	struct { long type; char text[64]; } message = { .type = 1 };
	int id = shmget(IPC_PRIVATE, 65536, 0600), fds[2], fd;
	char *p;

	may(id);
	if (id >= 0) {
		p = shmat(id, NULL, 0);
		must(p);
		*p = 1;
		must(shmdt(p));
		must(shmctl(id, IPC_RMID, NULL));
	}
	id = semget(IPC_PRIVATE, 1, 0600);
	if (id >= 0) {
		must(semop(id, &up, 1));
		must(semop(id, &down, 1));
		must(semctl(id, 0, IPC_RMID));
	}
	id = msgget(IPC_PRIVATE, 0600);
	if (id >= 0) {
		must(msgsnd(id, &message, sizeof(message.text), 0));
		must(msgrcv(id, &message, sizeof(message.text), 0, 0));
		must(msgctl(id, IPC_RMID, NULL));
	}
	must(pipe2(fds, O_NONBLOCK));
	must(write(fds[1], buf, 8192));
	fd = open("/dev/null", O_WRONLY);
	may(tee(fds[0], fds[1], 0, 0));
	must(splice(fds[0], NULL, fd, NULL, 4096, 0));
	may(vmsplice(fds[1], &(struct iovec){ buf, 4096 }, 1, 0));
	may(fcntl(fds[1], F_SETPIPE_SZ, 1 << 17));
	close(fds[0]);
	close(fds[1]);
	close(fd);
}

static void files(void)
{
	int fd = open("/tmp/syscalls.file", O_RDWR | O_CREAT | O_TRUNC, 0600), null, watch;
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10 };
	struct iovec iov[2] = { { buf, 100 }, { buf + 100, 5000 } };
	struct statvfs fs;
	struct statx stx;
	off_t at = 0;

	must(fd);
	watch = inotify_init1(IN_NONBLOCK);
	may(inotify_add_watch(watch, "/tmp", IN_ALL_EVENTS));
	must(pwritev(fd, iov, 2, 0));
	must(preadv(fd, iov, 2, 10));
	must(flock(fd, LOCK_EX));
	must(fcntl(fd, F_SETLK, &lock));
	may(fcntl(fd, F_SETLEASE, F_WRLCK));
	may(fcntl(fd, F_SETLEASE, F_UNLCK));
	may(fallocate(fd, 0, 0, 200000));
	must(lseek(fd, 0, SEEK_END));
	may(lseek(fd, 0, SEEK_HOLE));
	may(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
	may(readahead(fd, 0, 4096));
	must(fsync(fd));
	may(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
	may(fsetxattr(fd, "user.sweep", "x", 1, 0));
	may(fsetxattr(fd, "trusted.sweep", "x", 1, 0));
	may(flistxattr(fd, buf, sizeof(buf)));
	null = open("/dev/null", O_WRONLY);
	must(sendfile(null, fd, &at, 4000));
	may(copy_file_range(fd, NULL, null, NULL, 10, 0));
	must(futimens(fd, NULL));
	must(statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &stx));
	must(fstatvfs(fd, &fs));
	must(link("/tmp/syscalls.file", "/tmp/syscalls.link"));
	must(rename("/tmp/syscalls.link", "/tmp/syscalls.renamed"));
	must(unlink("/tmp/syscalls.renamed"));
	must(mkfifo("/tmp/syscalls.fifo", 0600));
	must(unlink("/tmp/syscalls.fifo"));
	must(truncate("/tmp/syscalls.file", 3));
	must(unlink("/tmp/syscalls.file"));
	may(read(watch, buf, sizeof(buf)));
	close(watch);
	close(null);
	close(fd);
}

static void events(void)
{
	struct itimerspec soon = { .it_value = a_moment };
	struct epoll_event ev = { .events = EPOLLIN };
	int efd = eventfd(1, 0), tfd = timerfd_create(CLOCK_MONOTONIC, 0), ep = epoll_create1(0), sfd;
	struct pollfd poller = { .fd = tfd, .events = POLLIN };
	sigset_t set;
	uint64_t n;

	if (efd >= 0 && ep >= 0) {
		must(epoll_ctl(ep, EPOLL_CTL_ADD, efd, &ev));
		must(epoll_wait(ep, &ev, 1, 1000));
		must(read(efd, &n, sizeof(n)));
	}
	if (tfd >= 0) {
		must(timerfd_settime(tfd, 0, &soon, NULL));
		must(poll(&poller, 1, 5000));
	}
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	must(sigprocmask(SIG_BLOCK, &set, NULL));
	sfd = signalfd(-1, &set, 0);
	must(raise(SIGUSR2));
	if (sfd >= 0)
		must(read(sfd, buf, sizeof(struct signalfd_siginfo)));
	else
		sigwaitinfo(&set, NULL);
	close(sfd);
	close(ep);
	close(tfd);
	close(efd);
}

static void on_signal(int sig) { (void)sig; }

static void timers(void)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };
	struct sigaction action = { .sa_handler = on_signal };
	struct itimerspec posix = { .it_value = a_moment };
	struct timespec now;
	sigset_t none;
	timer_t timer;

	sigemptyset(&none);
	must(sigaction(SIGALRM, &action, NULL));
	must(nanosleep(&a_moment, NULL));
	clock_nanosleep(CLOCK_BOOTTIME, 0, &a_moment, NULL);
	must(setitimer(ITIMER_REAL, &soon, NULL));
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
	if (!timer_create(CLOCK_MONOTONIC, NULL, &timer)) {
		must(timer_settime(timer, 0, &posix, NULL));
		nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
		must(timer_delete(timer));
	}
	must(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now));
	must(clock_getres(CLOCK_MONOTONIC_COARSE, &now));
}

static int word;

static void *waiter(void *arg)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &a_moment, NULL, 0);
	sched_yield();
	return arg;
}

static void threads(void)
{
	pthread_mutexattr_t inherit;
	pthread_mutex_t mutex;
	pthread_t thread[4];
	cpu_set_t cpus;

	for (int i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, waiter, NULL))
			errx(1, "pthread_create");
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 4, NULL, NULL, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	pthread_mutexattr_init(&inherit);
	pthread_mutexattr_setprotocol(&inherit, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &inherit);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	for (int cpu = 0; cpu < 2; cpu++) {
		CPU_ZERO(&cpus);
		CPU_SET(cpu, &cpus);
		may(sched_setaffinity(0, sizeof(cpus), &cpus));
	}
	CPU_SET(0, &cpus);
	may(sched_setaffinity(0, sizeof(cpus), &cpus));
}

/* In a child, because it changes the identity of the process. */
static void identity(void)
{
	struct sched_param real_time = { .sched_priority = 1 };
	struct rlimit limit;
	struct utsname name;
	struct sysinfo info;
	struct rusage usage;

	must(uname(&name));
	must(sysinfo(&info));
	must(getrusage(RUSAGE_SELF, &usage));
	must(getrlimit(RLIMIT_NOFILE, &limit));
	must(setrlimit(RLIMIT_NOFILE, &limit));
	must(setpriority(PRIO_PROCESS, 0, 3));
	may(sched_setscheduler(0, SCHED_FIFO, &real_time));
	nanosleep(&a_moment, NULL);
	may(sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){}));
	must(prctl(PR_SET_NAME, "sweeping"));
	may(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	may(unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUSER));
	may(mount("none", "/tmp", "ramfs", 0, ""));
	may(umount2("/tmp", MNT_DETACH));
	may(syscall(SYS_add_key, "user", "sweep", "x", 1, -2));
	must(setsid());
	may(setgid(65534));
	may(setuid(65534));
	times(NULL);
}

/* The child stops itself; the parent traces it over some system calls, and detaches. */
static void traced(void)
{
	pid_t pid = fork();
	int status;

	must(pid);
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		identity();
		_exit(7);
	}
	must(waitpid(pid, &status, 0));
	for (int i = 0; i < 6 && WIFSTOPPED(status); i++) {
		must(ptrace(i % 2 ? PTRACE_SINGLESTEP : PTRACE_SYSCALL, pid, NULL, NULL));
		must(waitpid(pid, &status, 0));
	}
	must(ptrace(PTRACE_DETACH, pid, NULL, NULL));
	must(waitpid(pid, &status, 0));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
		errx(1, "the traced child ended with %#x", status);
}

static void terminals(void)
{
	struct winsize size = { 24, 80, 0, 0 };
	int master, slave;

	if (openpty(&master, &slave, NULL, NULL, &size))
		return;
	must(write(master, "hello\n", 6));
	must(read(slave, buf, sizeof(buf)));
	must(ioctl(slave, TIOCGWINSZ, &size));
	close(slave);
	close(master);
}

/* Faults that end in a signal. */
static void faults(void)
{
	static char *volatile nowhere = (char *)8;
	int status;

	for (int kind = 0; kind < 3; kind++) {
		pid_t pid = fork();

		must(pid);
		if (!pid) {
			setrlimit(RLIMIT_CORE, &(struct rlimit){});
			if (kind == 0)
				*nowhere = 1;
			if (kind == 1)
				__asm__ volatile("ud2");
			__asm__ volatile("int3");
			_exit(0);
		}
		must(waitpid(pid, &status, 0));
		if (!WIFSIGNALED(status))
			errx(1, "fault %d ended with %#x", kind, status);
	}
}

/* A clock that samples, and software events that count. */
static void perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 100000, .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	void *ring;

	if (fd < 0)
		return;
	ring = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (volatile int i = 0; i < 300000; i++)
		;
	getppid();
	if (ring != MAP_FAILED)
		munmap(ring, 3 * 4096);
	close(fd);
}

int main(int argc, char **argv)
{
	int rounds = argc == 2 ? atoi(argv[1]) : 0;

	if (rounds <= 0)
		errx(2, "usage: syscalls ROUNDS");
	while (rounds--) {
		memory();
		ipc();
		files();
		events();
		timers();
		threads();
		traced();
		terminals();
		faults();
		perf();
	}
	return 0;
}
