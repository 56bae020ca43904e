package io.sluice.agent.host;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the C library on 64-bit Linux. JNA, which every Cassandra brings, calls them; it is
 * itself called by reflection. Safe for any thread.
 *
 * <p>A call that fails throws an {@link IOException} with the name of the function and its errno.
 */
public final class Libc {
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final int PR_SET_MEMORY_MERGE = 67;
  private static final long MAP_FAILED = -1;
  private static final int O_RDONLY = 0;
  private static final int O_CLOEXEC = 0x80000;
  private static final int SYNC_FILE_RANGE_WRITE = 2;

  /** How many pages one call of mincore reports, so that its answer stays small. */
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
   * @throws IOException if this is no 64-bit Linux, or JNA is missing or does not work; the message
   *     says which
   */
  public static Libc load() throws IOException {
    String system = System.getProperty("os.name", "");
    String machine = System.getProperty("os.arch", "");
    if (!system.toLowerCase(Locale.ROOT).equals("linux") || !machine.endsWith("64")) {
      throw new IOException("no 64-bit Linux but " + system + " on " + machine);
    }
    try {
      return new Libc();
    } catch (InvocationTargetException e) {
      throw new IOException("JNA does not work: " + e.getCause(), e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IOException("JNA is not there: " + e, e);
    }
  }

  /** Bytes of a page of memory. */
  public int pageSize() {
    return pageSize;
  }

  /**
   * Maps the first {@code bytes} of a file, at least one, to be read and shared with the page
   * cache; answers the address. The file is not kept open otherwise.
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

  /** Opens a file or folder to be read; returns its descriptor. */
  public int open(String path) throws IOException {
    int file = callInt("open", path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      throw failure("open");
    }
    return file;
  }

  /** Closes a descriptor, whatever becomes of it. */
  public void close(int file) throws IOException {
    if (callInt("close", file) != 0) {
      throw failure("close");
    }
  }

  /** Begins to write all of a file that is not on disk yet; does not wait for the end. */
  public void beginWriting(int file) throws IOException {
    if (callInt("sync_file_range", file, 0L, 0L, SYNC_FILE_RANGE_WRITE) != 0) {
      throw failure("sync_file_range");
    }
  }

  /** Returns when the file's contents and attributes, or the folder's names, are durable. */
  public void sync(int file) throws IOException {
    if (callInt("fsync", file) != 0) {
      throw failure("fsync");
    }
  }

  /** Reads the pages that the range touches, if need be, and keeps them until they are unmapped. */
  public void lock(long address, long bytes) throws IOException {
    if (callInt("mlock", address, bytes) != 0) {
      throw failure("mlock");
    }
  }

  /** Ends the mapping, and with it what was locked of it. */
  public void unmap(long address, long bytes) throws IOException {
    if (callInt("munmap", address, bytes) != 0) {
      throw failure("munmap");
    }
  }

  /** How many pages of a mapping, which begins at that address, are in memory. */
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
   * Lets the kernel merge pages of this process with equal ones, of its own or of other processes
   * that allow it, those of later mappings too. Linux has it since 6.4.
   */
  public void allowMerging() throws IOException {
    if (callInt("prctl", PR_SET_MEMORY_MERGE, 1L, 0L, 0L, 0L) != 0) {
      throw failure("prctl(PR_SET_MEMORY_MERGE)");
    }
  }

  private IOException failure(String function) throws IOException {
    return new IOException(function + " failed, errno " + reflected(lastError, null));
  }

  private int callInt(String function, Object... arguments) throws IOException {
    return (Integer) reflected(invokeInt, function(function), (Object) arguments);
  }

  private long callLong(String function, Object... arguments) throws IOException {
    return (Long) reflected(invokeLong, function(function), (Object) arguments);
  }

  private Object function(String name) throws IOException {
    return reflected(getFunction, library, name);
  }

  private static Object reflected(Method method, @Nullable Object owner, Object... arguments)
      throws IOException {
    try {
      return notNull(method.invoke(owner, arguments));
    } catch (ReflectiveOperationException e) {
      throw new IOException("JNA does not work: " + e.getCause(), e);
    }
  }

  private static Object notNull(@Nullable Object value) throws IOException {
    if (value == null) {
      throw new IOException("JNA answers nothing");
    }
    return value;
  }
}
