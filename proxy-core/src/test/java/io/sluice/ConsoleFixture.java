package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientFacts;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.Identity;
import io.sluice.wire.TestRows;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;

/** Statements about {@code system_proxy}, which the proxy answers itself. */
abstract class ConsoleFixture {

  final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  List<List<String>> texts(String cql) throws InterruptedException {
    return texts(fixture.ask(query(cql)).page());
  }

  static List<List<String>> texts(TestRows.Read page) {
    return page.cells().stream()
        .map(row -> row.stream().map(ConsoleFixture::text).toList())
        .toList();
  }

  static String text(ByteBuffer cell) {
    return StandardCharsets.UTF_8.decode(cell.duplicate()).toString();
  }

  static ByteBuffer cell(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  void refused(String cql, int code, String words) throws InterruptedException {
    PathFixture.Asked asked = fixture.ask(query(cql));
    assertThat(asked.answer()).isEqualTo("%04x".formatted(code));
    assertThat(asked.words).contains(words);
  }

  private static ClientFacts connection(int port, String role) {
    return new ClientFacts(
        port,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        role,
        new ClientFacts.Driver("a driver", "1.0", null),
        4,
        "none",
        null,
        0,
        0,
        port * 100L,
        port == 1 ? null : new ClientFacts.Encryption("TLSv1.3", "TLS_AES_128_GCM_SHA256"),
        Instant.EPOCH);
  }

  /** Makes the client {@code alice}. Returns the nodes' answers on whether she is a superuser. */
  Queue<Boolean> asAlice(boolean superuser) {
    fixture.client.proven = Identity.plain("alice", "secret");
    fixture.clients.add(connection(1, "alice"));
    fixture.clients.add(connection(2, "bob"));
    Queue<Boolean> asked = new ConcurrentLinkedQueue<>();
    fixture.allDo(
        request -> {
          asked.add(superuser);
          return new TestRows("role text, super boolean")
              .row(cell("alice"), ByteBuffer.wrap(new byte[] {(byte) (superuser ? 1 : 0)}))
              .frame();
        });
    return asked;
  }

  static final SplitConfig PIECES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 10, 0, 8, 64 << 20, true);

  static List<List<String>> meanwhile(PathFixture path, String cql) throws InterruptedException {
    return texts(path.ask(query(cql)).pageMeanwhile());
  }
}
