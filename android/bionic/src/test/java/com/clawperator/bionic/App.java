package com.clawperator.bionic;

import com.github.unidbg.linux.android.dvm.AbstractJni;
import com.github.unidbg.linux.android.dvm.BaseVM;
import com.github.unidbg.linux.android.dvm.DvmClass;
import com.github.unidbg.linux.android.dvm.DvmObject;
import com.github.unidbg.linux.android.dvm.VaList;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The Java side: the methods that the APK really has, and a service that notes what it is asked. */
final class App extends AbstractJni {
    private static final String PACKAGE = "com/clawperator/operator/";

    private final Set<String> methods;
    private final ClassLoader android;

    /** Methods that the library looked up and that exist neither in the APK nor in Android. */
    final List<String> missing = new ArrayList<>();
    /** What the service was asked to do. */
    final List<String> asked = new ArrayList<>();

    App(Path methods, File androidJar) throws IOException {
        this.methods = Set.copyOf(Files.readAllLines(methods));
        // Without a parent: Android's classes and no others.
        android = new URLClassLoader(new URL[] {androidJar.toURI().toURL()}, null);
    }

    /** The natives of the APK, as name and signature. */
    Set<String> natives() {
        return methods.stream()
                .filter(line -> line.endsWith(" native"))
                .map(line -> line.substring(line.indexOf("->") + 2, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    @Override
    public boolean acceptMethod(DvmClass type, String method, boolean isStatic) {
        boolean exists = type.getClassName().startsWith(PACKAGE)
                ? methods.contains(method + (isStatic ? " static" : ""))
                : ofAndroid(type.getName(), method.substring(method.indexOf("->") + 2), isStatic);
        if (!exists) {
            missing.add(method);
        }
        return exists;
    }

    private boolean ofAndroid(String type, String method, boolean isStatic) {
        int arguments = method.indexOf('(');
        try {
            MethodType sought = MethodType.fromMethodDescriptorString(method.substring(arguments), android);
            Class<?> named = Class.forName(type, false, android);
            if (method.startsWith("<init>")) {
                return Arrays.stream(named.getDeclaredConstructors())
                        .anyMatch(own -> Arrays.equals(own.getParameterTypes(), sought.parameterArray()));
            }
            for (Class<?> at = named; at != null; at = at.getSuperclass()) {
                for (Method own : at.getDeclaredMethods()) {
                    if (own.getName().equals(method.substring(0, arguments))
                            && own.getReturnType() == sought.returnType()
                            && Arrays.equals(own.getParameterTypes(), sought.parameterArray())
                            && java.lang.reflect.Modifier.isStatic(own.getModifiers()) == isStatic) {
                        return true;
                    }
                }
            }
            return false;
        } catch (ClassNotFoundException | TypeNotPresentException absent) {
            return false;
        }
    }

    @Override
    public DvmObject<?> callObjectMethodV(BaseVM vm, DvmObject<?> on, String method, VaList arguments) {
        if (method.equals("java/lang/Class->getClassLoader()Ljava/lang/ClassLoader;")) {
            return vm.resolveClass("java/lang/ClassLoader").newObject("the app's");
        }
        return super.callObjectMethodV(vm, on, method, arguments);
    }

    @Override
    public DvmObject<?> callStaticObjectMethodV(BaseVM vm, DvmClass on, String method, VaList arguments) {
        if (method.startsWith("java/lang/Class->forName(")) {
            return vm.resolveClass(arguments.getObjectArg(0).getValue().toString().replace('.', '/'));
        }
        return super.callStaticObjectMethodV(vm, on, method, arguments);
    }

    @Override
    public boolean callBooleanMethodV(BaseVM vm, DvmObject<?> on, String method, VaList arguments) {
        if (method.equals(PACKAGE + "Shim->global(I)Z")) {
            asked.add("global " + arguments.getIntArg(0));
            return true;
        }
        return super.callBooleanMethodV(vm, on, method, arguments);
    }

    @Override
    public int callIntMethodV(BaseVM vm, DvmObject<?> on, String method, VaList arguments) {
        if (method.equals(PACKAGE + "Shim->display()I")) {
            return 0; // on and unlocked
        }
        return super.callIntMethodV(vm, on, method, arguments);
    }
}
