package io.sluice.agent.host;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the C library on 64-bit Linux. Calls them through JNA, which every Cassandra
 * includes; JNA itself is called by reflection. Safe for any thread.
 *
 * <p>A failed call throws an {@link IOException} with the function's name and its errno.
 */
public final class Libc {
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final int PR_SET_MEMORY_MERGE = 67;
  private static final long MAP_FAILED = -1;
  private static final int O_RDONLY = 0;
  private static final int O_CLOEXEC = 0x80000;
  private static final int SYNC_FILE_RANGE_WRITE = 2;

  /** Pages reported by one call of mincore, which keeps its answer small. */
  private static final int PAGES_AT_ONCE = 1 << 14;

  private final Object library;
  private final Method getFunction;
  private final Method invokeInt;
  private final Method invokeLong;
  private final Method lastError;
  private final int pageSize;

  private Libc() throws ReflectiveOperationException, IOException {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    Class<?> libraries = Class.forName("com.sun.jna.NativeLibrary", true, loader);
    Class<?> functions = Class.forName("com.sun.jna.Function", true, loader);
    library = notNull(libraries.getMethod("getInstance", String.class).invoke(null, "c"));
    getFunction = libraries.getMethod("getFunction", String.class);
    invokeInt = functions.getMethod("invokeInt", Object[].class);
    invokeLong = functions.getMethod("invokeLong", Object[].class);
    lastError = Class.forName("com.sun.jna.Native", true, loader).getMethod("getLastError");
    pageSize = callInt("getpagesize");
  }

  /**
   * Finds the library.
   *
   * @throws IOException if this is not a 64-bit Linux, or JNA is missing or does not work; the
   *     message has the reason
   */
  public static Libc load() throws IOException {
    String system = System.getProperty("os.name", "");
    String machine = System.getProperty("os.arch", "");
    if (!system.toLowerCase(Locale.ROOT).equals("linux") || !machine.endsWith("64")) {
      throw new IOException("not a 64-bit Linux, but " + system + " on " + machine);
    }
    try {
      return new Libc();
    } catch (InvocationTargetException e) {
      throw new IOException("JNA does not work: " + e.getCause(), e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IOException("JNA is missing: " + e, e);
    }
  }

  /** Returns the bytes of a page of memory. */
  public int pageSize() {
    return pageSize;
  }

  /**
   * Maps the first {@code bytes} of a file, at least one, readable and shared with the page cache.
   * Does not keep the file open otherwise.
   *
   * @return the address
   */
  public long map(String path, long bytes) throws IOException {
    int file = open(path);
    try {
      long address = callLong("mmap", 0L, bytes, PROT_READ, MAP_SHARED, file, 0L);
      if (address == MAP_FAILED) {
        throw failure("mmap");
      }
      return address;
    } finally {
      close(file);
    }
  }

  /** Opens a file or folder for reading. Returns its descriptor. */
  public int open(String path) throws IOException {
    int file = callInt("open", path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      throw failure("open");
    }
    return file;
  }

  /** Closes a descriptor, even if the call fails. */
  public void close(int file) throws IOException {
    if (callInt("close", file) != 0) {
      throw failure("close");
    }
  }

  /** Starts writing the dirty pages of a file, without waiting. */
  public void beginWriting(int file) throws IOException {
    if (callInt("sync_file_range", file, 0L, 0L, SYNC_FILE_RANGE_WRITE) != 0) {
      throw failure("sync_file_range");
    }
  }

  /** Syncs a file with its attributes, or a folder. Returns when it is durable. */
  public void sync(int file) throws IOException {
    if (callInt("fsync", file) != 0) {
      throw failure("fsync");
    }
  }

  /**
   * Reads the pages of the range if necessary, and locks them in memory until they are unmapped.
   */
  public void lock(long address, long bytes) throws IOException {
    if (callInt("mlock", address, bytes) != 0) {
      throw failure("mlock");
    }
  }

  /** Unmaps the range, which also unlocks it. */
  public void unmap(long address, long bytes) throws IOException {
    if (callInt("munmap", address, bytes) != 0) {
      throw failure("munmap");
    }
  }

  /** Returns the number of pages of a mapping that are in memory. */
  public long residentPages(long address, long bytes) throws IOException {
    long pages = (bytes + pageSize - 1) / pageSize;
    long resident = 0;
    for (long from = 0; from < pages; from += PAGES_AT_ONCE) {
      int count = (int) Math.min(PAGES_AT_ONCE, pages - from);
      byte[] states = new byte[count];
      if (callInt("mincore", address + from * pageSize, (long) count * pageSize, states) != 0) {
        throw failure("mincore");
      }
      for (byte each : states) {
        resident += each & 1;
      }
    }
    return resident;
  }

  /**
   * Lets the kernel merge pages of this process with equal pages of its own or of other processes
   * that allow it. This holds for later mappings, too. Available in Linux 6.4 and later.
   */
  public void allowMerging() throws IOException {
    if (callInt("prctl", PR_SET_MEMORY_MERGE, 1L, 0L, 0L, 0L) != 0) {
      throw failure("prctl(PR_SET_MEMORY_MERGE)");
    }
  }

  private IOException failure(String function) throws IOException {
    return new IOException(function + " failed, errno " + call(lastError, null));
  }

  private int callInt(String function, Object... arguments) throws IOException {
    return (Integer) call(invokeInt, function(function), (Object) arguments);
  }

  private long callLong(String function, Object... arguments) throws IOException {
    return (Long) call(invokeLong, function(function), (Object) arguments);
  }

  private Object function(String name) throws IOException {
    return call(getFunction, library, name);
  }

  private static Object call(Method method, @Nullable Object owner, Object... arguments)
      throws IOException {
    try {
      return notNull(method.invoke(owner, arguments));
    } catch (ReflectiveOperationException e) {
      throw new IOException("JNA does not work: " + e.getCause(), e);
    }
  }

  private static Object notNull(@Nullable Object value) throws IOException {
    if (value == null) {
      throw new IOException("JNA returned null");
    }
    return value;
  }
}
