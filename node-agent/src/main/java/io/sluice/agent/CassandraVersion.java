package io.sluice.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The version of Cassandra in this JVM, read without loading any of its classes. */
final class CassandraVersion {
  private static final String RESOURCE = "org/apache/cassandra/config/version.properties";
  private static final Pattern KNOWN = Pattern.compile("(4\\.0|4\\.1|5\\.0|6\\.0)([.\\-].*)?");

  private CassandraVersion() {}

  /** Returns the full version, such as 5.0.9; null if Cassandra is not on the class path. */
  static @Nullable String onClassPath() throws IOException {
    try (InputStream resource = ClassLoader.getSystemResourceAsStream(RESOURCE)) {
      if (resource == null) {
        return null;
      }
      Properties properties = new Properties();
      properties.load(resource);
      return properties.getProperty("CassandraVersion");
    }
  }

  /** Returns the release line, such as 5.0, if the agent supports it; else null. */
  static @Nullable String knownLine(String version) {
    Matcher matcher = KNOWN.matcher(version.trim());
    return matcher.matches() ? matcher.group(1) : null;
  }
}
