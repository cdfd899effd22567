package com.clawperator.bionic;

import com.github.unidbg.Emulator;
import com.github.unidbg.arm.Arm64Svc;
import com.github.unidbg.arm.backend.Unicorn2Factory;
import com.github.unidbg.arm.context.RegisterContext;
import com.github.unidbg.file.FileSystem;
import com.github.unidbg.file.linux.AndroidFileIO;
import com.github.unidbg.file.linux.LinuxFileSystem;
import com.github.unidbg.linux.ARM64SyscallHandler;
import com.github.unidbg.linux.android.AndroidARM64Emulator;
import com.github.unidbg.linux.android.AndroidResolver;
import com.github.unidbg.linux.android.LogCatHandler;
import com.github.unidbg.linux.android.dvm.VM;
import com.github.unidbg.linux.thread.FutexIndefinitelyWaiter;
import com.github.unidbg.linux.thread.FutexWaiter;
import com.github.unidbg.memory.SvcMemory;
import com.github.unidbg.pointer.UnidbgPointer;
import com.github.unidbg.thread.ThreadContextSwitchException;
import com.github.unidbg.unix.UnixEmulator;
import com.github.unidbg.unix.UnixSyscallHandler;
import com.github.unidbg.virtualmodule.VirtualModule;
import com.sun.jna.Pointer;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An arm64 Android of API 23: its own libc, libm and liblog over an emulated processor and kernel. */
final class Phone extends AndroidARM64Emulator {
    private static final int API_LEVEL = 23;

    /** Lines that the library wrote with liblog. */
    final List<String> log = new ArrayList<>();

    Phone(File root) {
        super("com.clawperator.operator", root, List.of(new Unicorn2Factory(false)));
        getSyscallHandler().setEnableThreadDispatcher(true);
        getMemory().setLibraryResolver(new AndroidResolver(API_LEVEL));
    }

    /** The number of a function in the table of JNI, which the specification lists. */
    enum Slot {
        CALL_STATIC_INT_METHOD_A(131),
        GET_INT_ARRAY_REGION(203);

        private final int number;

        Slot(int number) {
            this.number = number;
        }
    }

    interface JniFunction {
        long call(RegisterContext arguments);
    }

    /**
     * Supplies Android's library of windows and events, with these names and no others. There is no
     * screen here, so none of them may be called.
     */
    void supplyLibandroid(List<String> names) {
        new VirtualModule<List<String>>(this, names, "libandroid.so") {
            @Override
            protected void onInitialize(Emulator<?> emulator, List<String> names, Map<String, UnidbgPointer> symbols) {
                for (String name : names) {
                    symbols.put(name, emulator.getSvcMemory().registerSvc(new Arm64Svc() {
                        @Override
                        public long handle(Emulator<?> emulator) {
                            throw new IllegalStateException("there is no screen for " + name);
                        }
                    }));
                }
            }
        }.register(getMemory());
    }

    /** Supplies a function of JNI that the emulator lacks. */
    void supply(VM vm, Slot slot, JniFunction function) {
        Pointer table = vm.getJNIEnv().getPointer(0);
        table.setPointer(8L * slot.number, getSvcMemory().registerSvc(new Arm64Svc() {
            @Override
            public long handle(Emulator<?> emulator) {
                return function.call(emulator.getContext());
            }
        }));
    }

    @Override
    protected FileSystem<AndroidFileIO> createFileSystem(File root) {
        return new LinuxFileSystem(this, root) {
            @Override
            public LogCatHandler getLogCatHandler() {
                return (type, level, tag, text) -> log.add(tag + ": " + text);
            }
        };
    }

    @Override
    protected UnixSyscallHandler<AndroidFileIO> createSyscallHandler(SvcMemory memory) {
        return new ARM64SyscallHandler(memory) {
            @Override
            protected int futex(Emulator<?> emulator) {
                boolean bits = (emulator.getContext().getIntArg(1) & 0x7f) == FUTEX_WAIT_BITSET;
                return bits ? waitUntil(emulator) : super.futex(emulator);
            }
        };
    }

    private static final int FUTEX_WAIT_BITSET = 9;

    /** How Rust's standard library waits; the emulator knows only the older way. */
    private static int waitUntil(Emulator<?> emulator) {
        RegisterContext arguments = emulator.getContext();
        Pointer word = arguments.getPointerArg(0);
        int expected = arguments.getIntArg(2);
        if (word.getInt(0) != expected) {
            return -UnixEmulator.EAGAIN;
        }
        Pointer until = arguments.getPointerArg(3);
        FutexWaiter waiter = until == null
                ? new FutexIndefinitelyWaiter(word, expected)
                : new Deadline(word, expected, until.getLong(0) * 1_000_000_000L + until.getLong(8));
        emulator.getThreadDispatcher().getRunningTask().setWaiter(emulator, waiter);
        throw new ThreadContextSwitchException();
    }

    /** Waits until a moment of the clock that `clock_gettime` shows, which is the JVM's. */
    private static final class Deadline extends FutexWaiter {
        private final long nanos;

        Deadline(Pointer word, int expected, long nanos) {
            super(word, expected);
            this.nanos = nanos;
        }

        @Override
        public boolean canDispatch() {
            return super.canDispatch() || System.nanoTime() >= nanos;
        }

        @Override
        protected void onContinueRunInternal(Emulator<?> emulator) {
            emulator.getBackend().reg_write(unicorn.Arm64Const.UC_ARM64_REG_X0, -ARM64SyscallHandler.ETIMEDOUT);
        }
    }
}
