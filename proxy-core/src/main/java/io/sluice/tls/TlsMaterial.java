package io.sluice.tls;

import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import io.sluice.setting.Secret;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.UnrecoverableKeyException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the certificates and keys from the files of one configuration. Not safe for several
 * threads.
 */
final class TlsMaterial {

  /** The algorithm that selects among several certificates by SNI, unlike the JDK's default. */
  private static final String KEY_MANAGER = "PKIX";

  /** The type of stores. The JDK also reads PKCS#12 by this name. */
  private static final String STORE = "JKS";

  /** Any bytes. A key belongs to a certificate that verifies its signature of them. */
  private static final byte[] SIGNED = {1};

  private final TlsConfig config;
  private final TlsFiles files;

  TlsMaterial(TlsConfig config, TlsFiles files) {
    this.config = config;
    this.files = files;
  }

  /** A store with at least one private key, and the password of its keys. */
  private record Keys(KeyStore store, Secret password) {}

  /**
   * Returns the certificate and key of this side; null where there is none.
   *
   * @throws RefusedSettings when the certificate cannot be used; names the setting
   */
  @Nullable KeyManagerFactory keyManagers() {
    Keys keys = keys();
    if (keys == null) {
      return null;
    }
    try {
      KeyManagerFactory factory = KeyManagerFactory.getInstance(KEY_MANAGER);
      factory.init(keys.store(), keys.password().chars());
      return factory;
    } catch (GeneralSecurityException e) {
      throw refused("keyPassword", Secret.HIDDEN, "must be that of the keys", e);
    }
  }

  private @Nullable Keys keys() {
    TlsKeys keys = config.keys();
    if (keys.certificate() != null) {
      return new Keys(pemKeys(keys.certificate(), keys), new Secret(""));
    }
    if (keys.keyStore() == null || keys.keyStorePassword() == null) {
      return null;
    }
    KeyStore store = store("keyStore", keys.keyStore(), keys.keyStorePassword());
    Secret password = keys.keyPassword() == null ? keys.keyStorePassword() : keys.keyPassword();
    requireKey(store, keys.keyStore(), password);
    return new Keys(store, password);
  }

  private KeyStore pemKeys(String certificate, TlsKeys keys) {
    List<X509Certificate> chain = pemCertificates("certificate", certificate);
    String file = String.valueOf(keys.key());
    try {
      PrivateKey key = Pem.key(files.of("key"), keys.keyPassword());
      requirePair(key, chain.get(0).getPublicKey());
      KeyStore store = emptyStore();
      store.setKeyEntry("key", key, new char[0], chain.toArray(X509Certificate[]::new));
      return store;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw refused("key", file, "must hold the private key of the certificate", e);
    }
  }

  /**
   * Checks that the key belongs to the certificate. If only one of the files was replaced, every
   * handshake would fail.
   */
  private static void requirePair(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          default -> "SHA256with" + key.getAlgorithm();
        };
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(SIGNED);
    byte[] signed = signature.sign();
    try {
      Signature verified = Signature.getInstance(algorithm);
      verified.initVerify(certified);
      verified.update(SIGNED);
      if (verified.verify(signed)) {
        return;
      }
    } catch (GeneralSecurityException anotherAlgorithm) {
      // The key has another algorithm than the certificate.
    }
    throw new GeneralSecurityException("it is the key of another certificate");
  }

  private void requireKey(KeyStore store, String file, Secret password) {
    try {
      for (String alias : Collections.list(store.aliases())) {
        Key key = store.getKey(alias, password.chars());
        if (key instanceof PrivateKey) {
          return;
        }
      }
    } catch (UnrecoverableKeyException e) {
      throw refused("keyPassword", Secret.HIDDEN, "must be that of the keys in keyStore", e);
    } catch (GeneralSecurityException e) {
      throw refused("keyStore", file, "must hold keys that can be read", e);
    }
    throw refused("keyStore", file, "must hold a private key with its certificate", null);
  }

  /**
   * Returns the authorities that may issue the other side's certificate; null for those of the JVM.
   *
   * @throws RefusedSettings when the authorities cannot be used; names the setting
   */
  @Nullable TrustManagerFactory trustManagers() {
    TlsTrust trust = config.trust();
    try {
      KeyStore store;
      if (trust.trust() != null) {
        store = emptyStore();
        for (X509Certificate each : pemCertificates("trust", trust.trust())) {
          store.setCertificateEntry("ca" + store.size(), each);
        }
      } else if (trust.trustStore() != null) {
        store = store("trustStore", trust.trustStore(), trust.trustStorePassword());
        if (store.size() == 0) {
          throw refused(
              "trustStore",
              trust.trustStore(),
              "must hold certificates; with a password they are not seen without it",
              null);
        }
      } else {
        return null;
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw refused("trust", String.valueOf(trust.trust()), "must hold certificates", e);
    }
  }

  /** Returns this side's certificates, without those of their issuers. */
  List<X509Certificate> certificates() {
    Keys keys = keys();
    List<X509Certificate> own = new ArrayList<>();
    if (keys == null) {
      return own;
    }
    try {
      for (String alias : Collections.list(keys.store().aliases())) {
        if (keys.store().isKeyEntry(alias)
            && keys.store().getCertificate(alias) instanceof X509Certificate certificate) {
          own.add(certificate);
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return own;
  }

  private List<X509Certificate> pemCertificates(String key, String file) {
    try {
      return Pem.certificates(files.of(key));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw refused(key, file, "must hold certificates in PEM", e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private KeyStore store(String key, String file, @Nullable Secret password) {
    try {
      KeyStore store = KeyStore.getInstance(STORE);
      store.load(
          new ByteArrayInputStream(files.of(key)), password == null ? null : password.chars());
      return store;
    } catch (IOException e) {
      if (e.getCause() instanceof UnrecoverableKeyException) {
        throw refused(key + "Password", Secret.HIDDEN, "must be that of " + key, null);
      }
      throw refused(key, file, "must be a PKCS#12 or JKS store", e);
    } catch (GeneralSecurityException e) {
      throw refused(key, file, "must be a PKCS#12 or JKS store", e);
    }
  }

  private RefusedSettings refused(
      String key, String value, String requirement, @Nullable Exception cause) {
    String why = cause == null ? "" : " (" + cause.getMessage() + ")";
    return RefusedSettings.of(
        new InvalidSetting(
            config.side().section() + "." + key,
            value,
            requirement + why,
            "mind which file and which password it is"));
  }
}
