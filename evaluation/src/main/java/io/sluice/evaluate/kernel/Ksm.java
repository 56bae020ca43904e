package io.sluice.evaluate.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Controls the kernel's merging of equal pages (KSM). {@link #close} and the end of this JVM
 * restore the settings. Safe for any thread.
 */
public final class Ksm implements AutoCloseable {
  private static final List<String> SETTINGS =
      List.of(
          "advisor_mode",
          "advisor_max_cpu",
          "use_zero_pages",
          "smart_scan",
          "pages_to_scan",
          "sleep_millisecs",
          "run");
  private static final String ADVISOR = "advisor_mode";
  private static final String RUN = "run";
  private static final String UNMERGE = "2";
  private static final long PAGE = 4096;
  private static final int FIRST_TICKS = 11;
  private static final double TICKS_PER_SECOND = 100;

  private final Path folder;
  private final Path proc;
  private final Map<String, String> before = new LinkedHashMap<>();
  private final Thread hook = new Thread(this::restore, "restore-ksm");

  /**
   * Saves the current settings.
   *
   * @param root the file system's root; another one in tests
   */
  public Ksm(Path root) {
    this.folder = root.resolve("sys/kernel/mm/ksm");
    this.proc = root.resolve("proc");
    for (String name : SETTINGS) {
      if (Files.exists(folder.resolve(name))) {
        before.put(name, chosen(read(name)));
      }
    }
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Counters of the kernel.
   *
   * @param savedBytes memory saved by merged pages, zero pages included
   * @param zeroBytes the part of it that is pages of zeros
   * @param seconds processor time of the merging thread
   */
  public record Counters(long savedBytes, long zeroBytes, double seconds) {}

  /**
   * Unmerges all pages, then applies the settings. Ignores settings that this kernel does not have.
   */
  public void set(Map<String, String> settings) {
    write(RUN, UNMERGE);
    write(RUN, "0");
    restoreAllBut(RUN);
    settings.forEach(this::write);
  }

  /** Reads the counters. */
  public Counters counters() {
    long zero = number("ksm_zero_pages");
    return new Counters((number("pages_sharing") + zero) * PAGE, zero * PAGE, seconds());
  }

  private double seconds() {
    try (Stream<Path> processes = Files.list(proc)) {
      return processes
          .filter(each -> each.getFileName().toString().matches("[0-9]+"))
          .map(Ksm::stat)
          .filter(stat -> stat.contains("(ksmd)"))
          .mapToDouble(Ksm::ticks)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String stat(Path process) {
    try {
      return Files.readString(process.resolve("stat"), StandardCharsets.UTF_8);
    } catch (IOException e) {
      // The process has ended.
      return "";
    }
  }

  private static double ticks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[FIRST_TICKS]) + Long.parseLong(fields[FIRST_TICKS + 1]))
        / TICKS_PER_SECOND;
  }

  private long number(String name) {
    return Files.exists(folder.resolve(name)) ? Long.parseLong(read(name)) : 0;
  }

  private String read(String name) {
    try {
      return Files.readString(folder.resolve(name), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the selected value, which is in brackets if the file lists all choices. */
  private static String chosen(String text) {
    return text.replaceAll(".*\\[(.*)].*", "$1");
  }

  private void write(String name, String value) {
    try {
      if (Files.exists(folder.resolve(name))) {
        Files.writeString(folder.resolve(name), value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Restores the settings. Unmerges first, so that pages merged for the study do not stay merged.
   */
  private void restore() {
    write(RUN, UNMERGE);
    restoreAllBut(RUN);
    write(RUN, before.getOrDefault(RUN, "0"));
  }

  /**
   * Restores all settings except {@code left}, with the advisor off meanwhile: it controls the rate
   * while it is on.
   */
  private void restoreAllBut(String left) {
    write(ADVISOR, "none");
    before.forEach(
        (name, value) -> {
          if (!name.equals(left) && !name.equals(ADVISOR)) {
            write(name, value);
          }
        });
    write(ADVISOR, before.getOrDefault(ADVISOR, "none"));
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook restores the settings.
      return;
    }
    restore();
  }
}
