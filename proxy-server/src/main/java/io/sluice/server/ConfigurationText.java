package io.sluice.server;

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
 * The content of a configuration file at one moment, or the reason why it cannot be read. Links are
 * followed at each read, so that a folder which is swapped behind one is seen. Immutable.
 */
final class ConfigurationText {

  private static final int MOST_BYTES = 4 << 20;
  private static final Pattern SECRET = Pattern.compile("\\$\\{(file:[^}:]+)");

  private final byte[] bytes;
  private final @Nullable String problem;

  /** Of the bytes, the problem and all files of secrets. */
  private final byte[] digest;

  private ConfigurationText(byte[] bytes, @Nullable String problem) {
    this.bytes = bytes;
    this.problem = problem;
    this.digest = digest(bytes, problem);
  }

  /** Reads it; what cannot be read is told by {@link #open}. */
  static ConfigurationText read(Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // To read a pipe would wait, and a device may have no end.
        return new ConfigurationText(new byte[0], "is no regular file and cannot be read again");
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        return bytes.length <= MOST_BYTES
            ? new ConfigurationText(bytes, null)
            : new ConfigurationText(new byte[0], "is larger than " + MOST_BYTES + " bytes");
      }
    } catch (NoSuchFileException e) {
      return new ConfigurationText(new byte[0], "is not there");
    } catch (AccessDeniedException e) {
      return new ConfigurationText(new byte[0], "may not be read by this process");
    } catch (IOException e) {
      return new ConfigurationText(new byte[0], "cannot be read: " + e.getMessage());
    }
  }

  /**
   * The content.
   *
   * @throws IOException when there was none; the message goes on behind the file's name
   */
  InputStream open() throws IOException {
    if (problem != null) {
      throw new IOException(problem);
    }
    return new ByteArrayInputStream(bytes);
  }

  /** Whether both say the same, with the same contents of the files that they name. */
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
