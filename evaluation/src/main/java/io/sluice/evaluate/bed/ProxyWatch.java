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

/** Reads the resource use of a proxy's process, and its metrics. Safe for any thread. */
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
   * The resources used by the proxy since its start.
   *
   * @param processor processor time
   * @param memoryMiB resident memory now; null if the system does not report it
   * @param rowsRead rows read by pieces of range reads; null if the proxy does not count them
   * @param rowsWanted rows of these that went to clients; null if the proxy does not count them
   */
  public record Reading(
      Duration processor,
      @Nullable Double memoryMiB,
      @Nullable Double rowsRead,
      @Nullable Double rowsWanted) {

    /**
     * Returns the rows read since an earlier reading but not returned, as a share of the returned
     * ones.
     */
    public @Nullable Double overFetchSince(Reading earlier) {
      Double read = minus(rowsRead, earlier.rowsRead);
      Double wanted = minus(rowsWanted, earlier.rowsWanted);
      return read == null || wanted == null || wanted <= 0 ? null : read / wanted - 1;
    }

    private static @Nullable Double minus(@Nullable Double now, @Nullable Double before) {
      return now == null || before == null ? null : now - before;
    }
  }

  /** Reads the current values. */
  public Reading read() throws InterruptedException {
    String metrics = metrics();
    return new Reading(
        process.info().totalCpuDuration().orElse(Duration.ZERO),
        memoryMiB(),
        boxed(Metrics.sum(metrics, Metrics.ROWS_READ)),
        boxed(Metrics.sum(metrics, Metrics.ROWS_WANTED)));
  }

  /** Whether the proxy reports that it suspects no node. */
  boolean suspectsNoNode() throws InterruptedException {
    return Metrics.sum(metrics(), Metrics.SUSPECT).orElse(1) == 0;
  }

  private String metrics() throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(admin.resolve("/metrics")).timeout(Duration.ofSeconds(5)).build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the resident memory on Linux, null on other systems. */
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
