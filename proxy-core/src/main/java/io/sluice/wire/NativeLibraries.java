package io.sluice.wire;

import io.netty.channel.epoll.Epoll;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.SnappyError;

/**
 * The libraries in machine code that this JVM cannot load. The vendors' jars unpack them into the
 * folder of temporary files, which may be mounted without execution. Stateless.
 */
public final class NativeLibraries {

  private NativeLibraries() {}

  /** Returns each library that this system should have and lacks, with the reason. */
  public static List<String> missing() {
    List<String> missing = new ArrayList<>();
    String epoll = epollFault();
    if (epoll != null && PlatformDependent.normalizedOs().equals("linux")) {
      missing.add("epoll (" + epoll + ")");
    }
    if (SnappyFault.FOUND != null) {
      missing.add("Snappy (" + SnappyFault.FOUND + ")");
    }
    return missing;
  }

  /** Returns why epoll is not available; null when it is. */
  public static @Nullable String epollFault() {
    Throwable cause = Epoll.unavailabilityCause();
    return cause == null ? null : String.valueOf(cause.getMessage());
  }

  static boolean hasSnappy() {
    return SnappyFault.FOUND == null;
  }

  /** The result of loading Snappy, which is tried once. */
  private static final class SnappyFault {

    static final @Nullable String FOUND = found();

    private static @Nullable String found() {
      try {
        org.xerial.snappy.Snappy.maxCompressedLength(0);
        return null;
      } catch (LinkageError | SnappyError e) {
        return String.valueOf(e.getMessage());
      }
    }
  }
}
