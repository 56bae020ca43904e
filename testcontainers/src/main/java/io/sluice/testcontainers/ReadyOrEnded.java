package io.sluice.testcontainers;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** Waits until Sluice can serve requests, as long as its container runs. */
final class ReadyOrEnded extends AbstractWaitStrategy {
  private static final int HTTP_TIMEOUT_MILLIS = 2000;
  private static final long PAUSE_MILLIS = 100;
  private static final int LINES = 10;

  private final int adminPort;

  /**
   * Creates a strategy.
   *
   * @param adminPort the port in the container that answers {@code /readyz}
   */
  ReadyOrEnded(int adminPort, Duration limit) {
    this.adminPort = adminPort;
    withStartupTimeout(limit);
  }

  @Override
  protected void waitUntilReady() {
    long end = System.nanoTime() + startupTimeout.toNanos();
    while (!isReady()) {
      if (!waitStrategyTarget.isRunning()) {
        throw failure("Sluice has ended");
      }
      if (System.nanoTime() - end > 0) {
        throw failure("Sluice is not ready after " + startupTimeout.toSeconds() + " s");
      }
      pause();
    }
  }

  private boolean isReady() {
    String address =
        waitStrategyTarget.getHost() + ":" + waitStrategyTarget.getMappedPort(adminPort);
    try {
      HttpURLConnection request =
          (HttpURLConnection) URI.create("http://" + address + "/readyz").toURL().openConnection();
      request.setConnectTimeout(HTTP_TIMEOUT_MILLIS);
      request.setReadTimeout(HTTP_TIMEOUT_MILLIS);
      return request.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    }
  }

  private ContainerLaunchException failure(String what) {
    List<String> log = waitStrategyTarget.getLogs().lines().toList();
    List<String> last = log.subList(Math.max(0, log.size() - LINES), log.size());
    return new ContainerLaunchException(what + ". The end of its log:\n" + String.join("\n", last));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ContainerLaunchException("Interrupted while Sluice started", e);
    }
  }
}
