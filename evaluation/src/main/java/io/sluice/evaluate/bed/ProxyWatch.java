package io.sluice.evaluate.bed;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Looks at a proxy's process and at its metrics. Safe for any thread. */
public final class ProxyWatch {
  private static final double KIB_PER_MIB = 1024;

  private final ProcessHandle process;
  private final URI admin;
  private final HttpClient http = HttpClient.newHttpClient();

  ProxyWatch(ProcessHandle process, URI admin) {
    this.process = process;
    this.admin = admin;
  }

  /**
   * What the proxy has used since its start.
   *
   * @param processor processor time
   * @param memoryMiB resident memory now; null where the system does not tell
   * @param rowsRead rows that pieces of range reads brought; null if the proxy does not count them
   * @param rowsWanted rows of these that went to clients; null if the proxy does not count them
   */
  public record Reading(
      Duration processor,
      @Nullable Double memoryMiB,
      @Nullable Double rowsRead,
      @Nullable Double rowsWanted) {

    /** Rows read beyond those wanted since an earlier reading, as a share of the wanted ones. */
    public @Nullable Double overFetchSince(Reading earlier) {
      Double read = minus(rowsRead, earlier.rowsRead);
      Double wanted = minus(rowsWanted, earlier.rowsWanted);
      return read == null || wanted == null || wanted <= 0 ? null : read / wanted - 1;
    }

    private static @Nullable Double minus(@Nullable Double now, @Nullable Double before) {
      return now == null || before == null ? null : now - before;
    }
  }

  /** Reads all of it now. */
  public Reading read() throws InterruptedException {
    String metrics = metrics();
    return new Reading(
        process.info().totalCpuDuration().orElse(Duration.ZERO),
        memoryMiB(),
        boxed(Metrics.sum(metrics, Metrics.ROWS_READ)),
        boxed(Metrics.sum(metrics, Metrics.ROWS_WANTED)));
  }

  /** Whether the proxy tells that it believes every node to answer. */
  boolean suspectsNoNode() throws InterruptedException {
    return Metrics.sum(metrics(), Metrics.SUSPECT).orElse(1) == 0;
  }

  private String metrics() throws InterruptedException {
    HttpRequest ask =
        HttpRequest.newBuilder(admin.resolve("/metrics")).timeout(Duration.ofSeconds(5)).build();
    try {
      return http.send(ask, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    }
  }

  /** Linux tells it; other systems are not asked. */
  private @Nullable Double memoryMiB() {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    try {
      return Files.readString(status, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIB_PER_MIB)
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable Double boxed(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
