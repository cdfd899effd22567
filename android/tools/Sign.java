import com.android.apksig.ApkSigner;
import com.android.apksig.ApkVerifier;
import com.android.apksig.KeyConfig;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Signs and verifies with apksig, the library inside Android's apksigner.
 *
 * <pre>
 * Sign sign KEYSTORE ALIAS UNSIGNED SIGNED   the password is in CLAWPERATOR_KEYSTORE_PASS
 * Sign verify SIGNED                         says which schemes hold
 * </pre>
 */
public final class Sign {
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "sign" -> sign(new File(arguments[1]), arguments[2], new File(arguments[3]), new File(arguments[4]));
            case "verify" -> verify(new File(arguments[1]));
            default -> throw new IllegalArgumentException("there is no " + arguments[0]);
        }
    }

    private static void sign(File store, String alias, File unsigned, File signed) throws Exception {
        char[] password = System.getenv("CLAWPERATOR_KEYSTORE_PASS").toCharArray();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = new FileInputStream(store)) {
            keys.load(in, password);
        }
        PrivateKey key = (PrivateKey) keys.getKey(alias, password);
        if (key == null) {
            throw fault(store + " has no key '" + alias + "'");
        }
        X509Certificate certificate = (X509Certificate) keys.getCertificate(alias);
        ApkSigner.SignerConfig signer =
                new ApkSigner.SignerConfig.Builder("operator", new KeyConfig.Jca(key), List.of(certificate)).build();
        // The first scheme is for Android 6 and older.
        new ApkSigner.Builder(List.of(signer))
                .setInputApk(unsigned)
                .setOutputApk(signed)
                .setV1SigningEnabled(false)
                .setV2SigningEnabled(true)
                .setV3SigningEnabled(true)
                .setV4SigningEnabled(false)
                .build()
                .sign();
    }

    private static void verify(File signed) throws Exception {
        ApkVerifier.Result result = new ApkVerifier.Builder(signed).build().verify();
        if (!result.isVerified()) {
            throw fault(signed + " does not verify: " + result.getAllErrors());
        }
        System.out.println("v2: " + result.isVerifiedUsingV2Scheme());
        System.out.println("v3: " + result.isVerifiedUsingV3Scheme());
    }

    private static IllegalStateException fault(String text) {
        return new IllegalStateException(text);
    }
}
