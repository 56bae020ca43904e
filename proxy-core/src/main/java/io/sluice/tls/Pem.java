package io.sluice.tls;

import io.sluice.setting.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and private keys from PEM files. Keys may be in PKCS#8, PKCS#1 or SEC 1,
 * because cert-manager and OpenSSL write all three. Stateless.
 */
final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "DSA");

  /** SEQUENCE {rsaEncryption, NULL}. */
  private static final byte[] RSA = {
    0x30,
    0x0d,
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };

  /** OBJECT IDENTIFIER id-ecPublicKey. */
  private static final byte[] EC = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final int CURVE = 0xa0;

  private Pem() {}

  private record Block(String label, String body) {

    byte[] bytes() {
      return Base64.getMimeDecoder().decode(body);
    }
  }

  private static List<Block> blocks(byte[] file) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(new String(file, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return blocks;
  }

  /**
   * Returns all certificates of a file, in the file's order.
   *
   * @throws GeneralSecurityException when the file has no certificate, or one cannot be read
   */
  static List<X509Certificate> certificates(byte[] file) throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> found = new ArrayList<>();
    for (Block block : blocks(file)) {
      if (block.label().endsWith("CERTIFICATE")) {
        found.add(
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.bytes())));
      }
    }
    if (found.isEmpty()) {
      throw new GeneralSecurityException("it holds no PEM certificate");
    }
    return found;
  }

  /**
   * Returns the private key of a file.
   *
   * @param password the password of an encrypted key
   * @throws GeneralSecurityException when the file has no key, or the key cannot be read; the
   *     message contains nothing of the key
   */
  static PrivateKey key(byte[] file, @Nullable Secret password) throws GeneralSecurityException {
    for (Block block : blocks(file)) {
      byte[] pkcs8 = pkcs8(block, password);
      if (pkcs8 != null) {
        return parsed(pkcs8);
      }
    }
    throw new GeneralSecurityException("it holds no PEM private key");
  }

  /**
   * Returns the key of a block as PKCS#8; null for other blocks, such as certificates and curves.
   */
  private static byte @Nullable [] pkcs8(Block block, @Nullable Secret password)
      throws GeneralSecurityException {
    return switch (block.label()) {
      case "PRIVATE KEY" -> block.bytes();
      case "RSA PRIVATE KEY" -> pkcs8(RSA, plain(block));
      case "EC PRIVATE KEY" -> pkcs8(ecAlgorithm(plain(block)), block.bytes());
      case "ENCRYPTED PRIVATE KEY" -> decrypted(block.bytes(), password);
      default -> null;
    };
  }

  private static byte[] plain(Block block) throws GeneralSecurityException {
    if (block.body().contains("ENCRYPTED")) {
      throw new GeneralSecurityException(
          "its key is encrypted in OpenSSL's old format; `openssl pkcs8 -topk8` writes PKCS#8");
    }
    return block.bytes();
  }

  private static byte[] decrypted(byte[] encrypted, @Nullable Secret password)
      throws GeneralSecurityException {
    if (password == null) {
      throw new GeneralSecurityException("its key is encrypted; keyPassword must be set");
    }
    try {
      EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encrypted);
      // PBES2 is a family of algorithms; the parameters name the algorithm.
      if (info.getAlgParameters() == null) {
        throw new GeneralSecurityException("its encryption has no parameters");
      }
      String algorithm =
          info.getAlgName().equals("PBES2") || info.getAlgName().startsWith("1.2.840.113549.1.5.13")
              ? info.getAlgParameters().toString()
              : info.getAlgName();
      PBEKeySpec spec = new PBEKeySpec(password.chars());
      try {
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
            Cipher.DECRYPT_MODE,
            SecretKeyFactory.getInstance(algorithm).generateSecret(spec),
            info.getAlgParameters());
        return info.getKeySpec(cipher).getEncoded();
      } finally {
        spec.clearPassword();
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new GeneralSecurityException(
          "its key cannot be decrypted; is keyPassword the right one?", e);
    }
  }

  private static PrivateKey parsed(byte[] pkcs8) throws GeneralSecurityException {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
    try {
      for (String algorithm : ALGORITHMS) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (InvalidKeySpecException otherAlgorithm) {
          // The next algorithm is tried.
        }
      }
    } finally {
      Arrays.fill(pkcs8, (byte) 0);
    }
    throw new GeneralSecurityException("its key is neither RSA, EC, EdDSA nor DSA");
  }

  /** Wraps a key of an older format in a PrivateKeyInfo of RFC 5208. */
  private static byte[] pkcs8(byte[] algorithm, byte[] key) {
    return der(SEQUENCE, VERSION_0, algorithm, der(OCTET_STRING, key));
  }

  /** Returns the algorithm of a key of RFC 5915, whose element [0] is the curve. */
  private static byte[] ecAlgorithm(byte[] sec1) throws GeneralSecurityException {
    try {
      // SEQUENCE { INTEGER 1, OCTET STRING key, [0] curve, ...
      int at = content(sec1, 0);
      at = end(sec1, at);
      at = end(sec1, at);
      if ((sec1[at] & 0xff) == CURVE) {
        return der(SEQUENCE, EC, Arrays.copyOfRange(sec1, content(sec1, at), end(sec1, at)));
      }
    } catch (IndexOutOfBoundsException e) {
      throw new GeneralSecurityException("its EC key is broken", e);
    }
    throw new GeneralSecurityException("its EC key does not name its curve");
  }

  /** Returns the offset of the content of the element at {@code at}. */
  private static int content(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    return at + 2 + (length < 0x80 ? 0 : length - 0x80);
  }

  /** Returns the offset of the end of the element at {@code at}. */
  private static int end(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    int content = content(der, at);
    if (length >= 0x80) {
      length = 0;
      for (int i = at + 2; i < content; i++) {
        length = (length << 8) | (der[i] & 0xff);
      }
    }
    if (length < 0 || length > der.length - content) {
      throw new IndexOutOfBoundsException("an element ends outside the key");
    }
    return content + length;
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    element.write(tag);
    int length = content.size();
    if (length < 0x80) {
      element.write(length);
    } else if (length < 0x100) {
      element.write(0x81);
      element.write(length);
    } else {
      element.write(0x82);
      element.write(length >> 8);
      element.write(length);
    }
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
