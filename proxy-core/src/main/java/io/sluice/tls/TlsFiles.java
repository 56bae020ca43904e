package io.sluice.tls;

import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the files of one configuration, read once. The fingerprint and the parsed
 * material come from the same bytes, even if the files change meanwhile. Not safe for several
 * threads.
 */
final class TlsFiles {

  private static final long MAX_BYTES = 16 << 20;

  private final Map<String, byte[]> contents = new TreeMap<>();

  private TlsFiles() {}

  /**
   * Reads the files.
   *
   * @throws RefusedSettings when a file cannot be read; names the key
   */
  static TlsFiles read(TlsConfig config) {
    TlsFiles files = new TlsFiles();
    String section = config.side().section();
    files.add(section, "certificate", config.keys().certificate());
    files.add(section, "key", config.keys().key());
    files.add(section, "keyStore", config.keys().keyStore());
    files.add(section, "trust", config.trust().trust());
    files.add(section, "trustStore", config.trust().trustStore());
    return files;
  }

  private void add(String section, String key, @Nullable String file) {
    if (file == null) {
      return;
    }
    try {
      Path path = Path.of(file);
      if (Files.size(path) > MAX_BYTES) {
        throw new IOException("more than " + MAX_BYTES + " bytes");
      }
      contents.put(key, Files.readAllBytes(path));
    } catch (NoSuchFileException e) {
      throw refused(section + "." + key, file, "must be a file that exists");
    } catch (IOException | RuntimeException e) {
      throw refused(section + "." + key, file, "must be a file that can be read (" + e + ")");
    }
  }

  private static RefusedSettings refused(String key, String file, String requirement) {
    return RefusedSettings.of(
        new InvalidSetting(key, file, requirement, "mind the spelling and the permissions"));
  }

  /** Returns the content of the file that {@code key} names. */
  byte[] of(String key) {
    return Objects.requireNonNull(contents.get(key), key);
  }

  /** Returns a digest of all contents. */
  ByteBuffer fingerprint() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      contents.forEach(
          (key, content) -> {
            digest.update((key + content.length + '\n').getBytes(StandardCharsets.UTF_8));
            digest.update(content);
          });
      return ByteBuffer.wrap(digest.digest()).asReadOnlyBuffer();
    } catch (GeneralSecurityException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
