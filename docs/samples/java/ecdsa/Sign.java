// Prints the headers that sign a request: java Sign.java POST https://… < body.json
// PRIVATE_KEY_FILE names the file of your private key (PKCS #8, PEM). Send the very bytes that were signed.
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Sign {
    static final String CLIENT_ID = "cid_1";

    static Map<String, String> signatureHeaders(String method, String address, byte[] body) throws Exception {
        String url = address;
        Instant now = Instant.now();
        String timestamp = String.valueOf(now.getEpochSecond());
        var text = new ByteArrayOutputStream();
        text.write(method.getBytes(StandardCharsets.UTF_8));
        text.write(".".getBytes(StandardCharsets.UTF_8));
        text.write(url.getBytes(StandardCharsets.UTF_8));
        text.write(".".getBytes(StandardCharsets.UTF_8));
        text.write(CLIENT_ID.getBytes(StandardCharsets.UTF_8));
        text.write(".".getBytes(StandardCharsets.UTF_8));
        text.write(timestamp.getBytes(StandardCharsets.UTF_8));
        text.write(".".getBytes(StandardCharsets.UTF_8));
        text.write(body);
        byte[] der = Base64.getMimeDecoder().decode(Files.readString(Path.of(System.getenv("PRIVATE_KEY_FILE"))).replaceAll("-----[^-]+-----", ""));
        PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(key);
        signer.update(text.toByteArray());
        byte[] made = signer.sign();
        String signature = Base64.getEncoder().encodeToString(made);
        var headers = new LinkedHashMap<String, String>();
        headers.put("X-Client-Id", CLIENT_ID);
        headers.put("X-Timestamp", timestamp);
        headers.put("X-Signature", signature);
        return headers;
    }

    public static void main(String[] args) throws Exception {
        signatureHeaders(args[0], args[1], System.in.readAllBytes()).forEach((name, value) -> System.out.println(name + ": " + value));
    }
}
