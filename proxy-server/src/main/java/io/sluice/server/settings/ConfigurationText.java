package io.sluice.server.settings;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of a configuration file at one moment, or the reason why it cannot be read. Each read
 * follows symbolic links, so that it sees a folder that was swapped behind a link. Immutable.
 */
final class ConfigurationText {

  private static final int MAX_BYTES = 4 << 20;
  private static final Pattern SECRET = Pattern.compile("\\$\\{(file:[^}:]+)");

  private final byte[] bytes;
  private final @Nullable String problem;

  /** The digest of the bytes, the problem and all files of secrets. */
  private final byte[] digest;

  private ConfigurationText(byte[] bytes, @Nullable String problem) {
    this.bytes = bytes;
    this.problem = problem;
    this.digest = digest(bytes, problem);
  }

  /** Reads a file. If that fails, {@link #open} throws the reason. */
  static ConfigurationText read(Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // Reading a pipe would block, and a device may have no end.
        return new ConfigurationText(new byte[0], "is not a regular file and cannot be read again");
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        return bytes.length <= MAX_BYTES
            ? new ConfigurationText(bytes, null)
            : new ConfigurationText(new byte[0], "is larger than " + MAX_BYTES + " bytes");
      }
    } catch (NoSuchFileException e) {
      return new ConfigurationText(new byte[0], "does not exist");
    } catch (AccessDeniedException e) {
      return new ConfigurationText(new byte[0], "is not readable by this process");
    } catch (IOException e) {
      return new ConfigurationText(new byte[0], "cannot be read: " + e.getMessage());
    }
  }

  /**
   * Returns the content.
   *
   * @throws IOException when the file could not be read; the message continues the file's name
   */
  InputStream open() throws IOException {
    if (problem != null) {
      throw new IOException(problem);
    }
    return new ByteArrayInputStream(bytes);
  }

  /** Whether both contents are equal, including the contents of the files that they name. */
  boolean isSameAs(ConfigurationText other) {
    return MessageDigest.isEqual(digest, other.digest);
  }

  private static byte[] digest(byte[] bytes, @Nullable String problem) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes);
      digest.update(String.valueOf(problem).getBytes(StandardCharsets.UTF_8));
      Matcher secrets = SECRET.matcher(new String(bytes, StandardCharsets.UTF_8));
      while (secrets.find()) {
        digest.update(FileSecrets.bytes(secrets.group(1)));
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
