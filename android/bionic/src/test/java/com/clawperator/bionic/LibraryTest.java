package com.clawperator.bionic;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.github.unidbg.Module;
import com.github.unidbg.linux.LinuxModule;
import com.github.unidbg.linux.android.dvm.DalvikModule;
import com.github.unidbg.linux.android.dvm.DvmClass;
import com.github.unidbg.linux.android.dvm.StringObject;
import com.github.unidbg.linux.android.dvm.VM;
import com.github.unidbg.linux.android.dvm.array.IntArray;
import com.github.unidbg.pointer.UnidbgPointer;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The library of the signed APK, on Android's own libc. */
public class LibraryTest {
    /** A fault of the library ends as a line of the emulator here, and nowhere else. */
    private static final ByteArrayOutputStream FAULTS = new ByteArrayOutputStream();

    static {
        System.setErr(new PrintStream(FAULTS, true));
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "info");
    }

    @Rule public final TemporaryFolder root = new TemporaryFolder();

    private Phone phone;
    private Module library;
    private VM vm;
    private App app;
    private DvmClass natives;
    /** Lines for the host, which the library writes with Android's `Log`. */
    private final List<String> printed = new ArrayList<>();

    @Before
    public void loadTheLibraryOfTheApk() throws Exception {
        FAULTS.reset();
        phone = new Phone(root.getRoot());
        phone.supplyLibandroid(Files.readAllLines(Path.of(System.getProperty("libandroid"))));
        vm = phone.createDalvikVM(new File(System.getProperty("apk")));
        app = new App(Path.of(System.getProperty("methods")), new File(System.getProperty("androidJar")));
        vm.setJni(app);
        phone.supply(vm, Phone.Slot.GET_INT_ARRAY_REGION, arguments -> {
            int[] array = (int[]) vm.getObject(arguments.getPointerArg(1).toIntPeer()).getValue();
            arguments.getPointerArg(4).write(0, array, arguments.getIntArg(2), arguments.getIntArg(3));
            return 0;
        });
        // `Log.println` is the only static method that gives an int.
        phone.supply(vm, Phone.Slot.CALL_STATIC_INT_METHOD_A, arguments -> {
            UnidbgPointer values = arguments.getPointerArg(3);
            printed.add(vm.getObject(values.getInt(16)).getValue().toString());
            return 1;
        });
        try {
            DalvikModule loaded = vm.loadLibrary("clawperator_operator", false);
            loaded.callJNI_OnLoad(phone);
            library = loaded.getModule();
        } catch (IllegalStateException refused) {
            throw new AssertionError("it does not load; methods it misses: " + app.missing, refused);
        }
        natives = vm.resolveClass("com/clawperator/operator/Native");
    }

    @After
    public void noFault() throws Exception {
        phone.close();
        assertEquals("", FAULTS.toString());
    }

    @Test
    public void everyNativeOfTheApkIsRegisteredAndNoOther() throws Exception {
        Field registered = DvmClass.class.getDeclaredField("nativesMap");
        registered.setAccessible(true);
        assertEquals(app.natives(), ((Map<?, ?>) registered.get(natives)).keySet());
    }

    @Test
    public void everyNameIsFoundInAndroidAndNativeActivityFindsItsOwn() {
        assertEquals(List.of(), ((LinuxModule) library).getUnresolvedSymbol());
        assertNotNull(library.findSymbolByName("ANativeActivity_onCreate", false));
    }

    @Test
    public void everyMethodThatRustCallsIsInTheApkOrInAndroid() {
        assertEquals(List.of(), app.missing);
        assertFalse(app.acceptMethod(natives, "com/clawperator/operator/Native->absent()V", true));
        assertFalse(app.acceptMethod(vm.resolveClass("android/util/Log"), "android/util/Log->absent()V", true));
        assertFalse(app.acceptMethod(vm.resolveClass("android/content/Intent"), "android/content/Intent-><init>(J)V", false));
    }

    @Test
    public void anExecutionWithoutTheServiceIsAnswered() {
        start();
        receive("sleep", "{\"durationMs\":1}");
        assertEquals(1, printed.size());
        assertTrue(printed.get(0), printed.get(0).contains("\"errorCode\":\"SERVICE_UNAVAILABLE\""));
    }

    @Test
    public void anExecutionActsThroughTheService() {
        start();
        natives.callStaticJniMethod(phone, "connected(Lcom/clawperator/operator/Shim;)V",
                vm.resolveClass("com/clawperator/operator/Shim").newObject("the service"));
        receive("press_key", "{\"key\":\"home\"}");
        // The shade is closed first: it would lie over the home screen.
        assertEquals(List.of("global 15", "global 2"), app.asked);
        assertEquals(1, printed.size());
        assertTrue(printed.get(0), printed.get(0).contains("\"status\":\"success\""));
    }

    @Test
    public void aBroadcastBeforeTheStartIsNotRun() {
        receive("sleep", "{\"durationMs\":1}");
        assertEquals(List.of(), printed);
    }

    @Test
    public void theOperatorStartsWithoutItsSocketAndSaysSo() {
        start(); // this kernel has no abstract sockets
        assertEquals(1, phone.log.size());
        assertTrue(phone.log.get(0), phone.log.get(0).contains("no socket `com.clawperator.operator`"));
    }

    @Test
    public void aPanicCleansUpEveryFrameAndIsCaught() {
        Module panics = phone.loadLibrary(new File(System.getProperty("panics")));
        assertEquals(100, panics.callFunction(phone, "panic_below", 100).intValue());
        assertEquals(1, panics.callFunction(phone, "panic_in_a_thread").intValue());
    }

    private void start() {
        natives.callStaticJniMethod(phone, "start(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I[I)V",
                text("com.clawperator.operator"), text("0.1.0"), text("/data/recordings"), 35,
                new IntArray(vm, new int[] {0, 2000}));
    }

    private void receive(String action, String params) {
        String payload = "{\"commandId\":\"c1\",\"taskId\":\"t1\",\"source\":\"test\","
                + "\"expectedFormat\":\"android-ui-automator\",\"timeoutMs\":5000,\"actions\":"
                + "[{\"id\":\"s1\",\"type\":\"" + action + "\",\"params\":" + params + "}]}";
        natives.callStaticJniMethod(phone,
                "receive(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V",
                text(payload), null, null, null);
    }

    private StringObject text(String value) {
        return new StringObject(vm, value);
    }
}
