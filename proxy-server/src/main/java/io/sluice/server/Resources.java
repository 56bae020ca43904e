package io.sluice.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts in this jar. Stateless. */
final class Resources {

  private Resources() {}

  /** Returns the commented reference configuration. */
  static String reference() {
    return read("/reference.yml");
  }

  /** Returns the version of this build. */
  static String version() {
    return read("/version.txt").strip();
  }

  private static String read(String name) {
    try (InputStream in = Resources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing in this jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
