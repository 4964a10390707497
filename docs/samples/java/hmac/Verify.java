// Checks a request that Pierhead signed: java Verify.java POST https://… headers.txt < body.json
// HMAC_SECRET holds the HMAC secret. 300 seconds are allowed between its clock and yours.
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    static final String CLIENT_ID = "cid_1";

    /** Whether it fits: the URL as you registered it, the headers, and the body byte by byte as it came; now in Unix seconds. */
    static boolean verify(String method, String address, Map<String, String> headers, byte[] body, double now) throws Exception {
        var sent = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll(headers);
        if (!CLIENT_ID.equals(sent.get("X-Client-Id"))) return false;
        String url = address;
        String timestamp = sent.getOrDefault("x-timestamp", "");
        if (!timestamp.matches("[1-9][0-9]{0,18}")) return false;
        if (Math.abs(Double.parseDouble(timestamp) - now) > 300) return false;
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
        String given = sent.getOrDefault("x-signature", "");
        String secret = System.getenv("HMAC_SECRET");
        byte[] key = secret.startsWith("whsec_") ? Base64.getDecoder().decode(secret.substring(6)) : secret.getBytes(StandardCharsets.UTF_8);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        byte[] made = mac.doFinal(text.toByteArray());
        String signature = Base64.getEncoder().encodeToString(made);
        // Compares all bytes, whatever differs.
        String expected = signature;
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws Exception {
        var headers = new HashMap<String, String>();
        for (String line : Files.readAllLines(Path.of(args[2]))) headers.put(line.split(": ", 2)[0], line.split(": ", 2)[1]);
        double now = args.length > 3 ? Double.parseDouble(args[3]) : System.currentTimeMillis() / 1000.0;
        System.exit(verify(args[0], args[1], headers, System.in.readAllBytes(), now) ? 0 : 1);
    }
}
