package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CountedBuffers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.TestFrames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that a hostile client's connection costs other clients no more than its share. */
class HostileClientTest extends SessionFixture {

  private static final String REGISTER =
      "04 00 0005 0b 00000011 0001 000d 736368656d615f6368616e6765";
  private static final String UNKNOWN_OPCODE = "04 00 0005 77 00000000";
  private static final int MAX_REFUSED = 10;

  private static List<Throwable> faults() {
    return List.of(
        new IllegalStateException("a fault"),
        new StackOverflowError(),
        new OutOfMemoryError("Cannot reserve 16777216 bytes of direct buffer memory"),
        new AssertionError("another"));
  }

  private void broken() {
    channel.pipeline().fireChannelRead(ProtocolError.of(9, "no frame"));
    lane.runSoon();
  }

  @Test
  void an_exception_ends_its_own_request_only() {
    makeReady();
    for (Throwable fault : faults()) {
      path.fault = fault;
      arrive(QUERY.formatted(3));
      assertThat(told())
          .singleElement()
          .asString()
          .startsWith("3: 0000 Sluice failed to handle this request");
    }
    arrive(QUERY.formatted(4));
    answer(path.last(), CqlCodec.ready(4));
    assertThat(told()).containsExactly("4: opcode 2");
  }

  @Test
  void an_exception_in_a_handshake_does_not_change_the_state() {
    path.fault = new IllegalStateException("a fault");
    arrive(STARTUP);
    assertThat(told()).singleElement().asString().startsWith("1: 0000 Sluice failed");
    arrive(STARTUP);
    answer(path.last(), TestFrames.of("84 00 0000 03 00000003 0001 41"));
    path.fault = new StackOverflowError();
    arrive(AUTH_RESPONSE);
    assertThat(told()).hasSize(2).last().asString().startsWith("2: 0000 Sluice failed");
    makeReady();
  }

  @Test
  void an_exception_in_a_registration_is_answered() {
    makeReady();
    path.fault = new IllegalStateException("a fault");
    arrive(REGISTER);
    assertThat(told()).singleElement().asString().startsWith("5: 0000 Sluice failed");
  }

  @Test
  void a_client_that_sends_only_invalid_frames_is_disconnected() {
    makeReady();
    for (int i = 1; i < MAX_REFUSED; i++) {
      broken();
    }
    assertThat(channel.isActive()).isTrue();
    broken();
    assertThat(channel.isActive()).isFalse();
    assertThat(told()).hasSize(MAX_REFUSED).containsOnly("9: 000a no frame");
    assertThat(faults.count(Disconnect.PROTOCOL)).isOne();
  }

  @Test
  void refused_requests_count_like_refused_frames() {
    makeReady();
    for (int i = 0; i < MAX_REFUSED; i++) {
      arrive(UNKNOWN_OPCODE);
    }
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_served_request_resets_the_count_of_refused_ones() {
    makeReady();
    for (int i = 0; i < 3 * MAX_REFUSED; i++) {
      broken();
      arrive(QUERY.formatted(1));
      answer(path.last(), CqlCodec.ready(4));
    }
    assertThat(channel.isActive()).isTrue();
    told();
  }

  /** A driver that sends too large a request makes another kind of mistake. */
  @Test
  void refusals_of_valid_frames_are_no_reason_to_disconnect() {
    makeReady();
    for (int i = 0; i < 3 * MAX_REFUSED; i++) {
      channel.pipeline().fireChannelRead(ProtocolError.invalid(4, "too large"));
    }
    lane.runSoon();
    assertThat(channel.isActive()).isTrue();
    told();
  }

  @Test
  void unread_refusals_stop_reading() {
    clientReads = false;
    for (int i = 0; i < 700 && channel.isActive(); i++) {
      channel.pipeline().fireChannelRead(ProtocolError.invalid(4, "too large"));
    }
    lane.runSoon();
    assertThat(channel.config().isAutoRead()).isFalse();
    clientReads = true;
    channel.flush();
    lane.pass(100);
    assertThat(channel.config().isAutoRead()).isTrue();
    told();
  }

  @Test
  void unread_bytes_are_reported() {
    makeReady();
    clientReads = false;
    for (int i = 0; i < 100; i++) {
      client().push(CqlCodec.ready(4));
    }
    lane.runSoon();
    assertThat(Objects.requireNonNull(session.facts()).unreadBytes())
        .isGreaterThanOrEqualTo(100 * 9);
    clientReads = true;
    channel.flush();
    told();
    assertThat(Objects.requireNonNull(session.facts()).unreadBytes()).isZero();
  }

  @Test
  void events_that_are_not_read_count_as_unread() {
    makeReady();
    clientReads = false;
    for (int i = 0; i < 50_000 && channel.isActive(); i++) {
      client().push(CqlCodec.ready(4));
    }
    lane.pass(5_000);
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.UNREAD)).isOne();
  }

  @Test
  void before_login_only_few_bytes_may_be_left_unread() {
    clientReads = false;
    for (int i = 0; i < 700; i++) {
      arrive(OPTIONS);
    }
    assertThat(channel.config().isAutoRead()).isFalse();
    assertThat(channel.isActive()).isTrue();
    lane.pass(5_000);
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.UNREAD)).isOne();
  }

  @Test
  void a_connection_that_does_not_log_in_is_closed() {
    lane.pass(9_999);
    assertThat(channel.isActive()).isTrue();
    lane.pass(1);
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.HANDSHAKE)).isOne();
  }

  @Test
  void a_connection_that_stops_during_its_login_is_closed() {
    arrive(STARTUP);
    answer(path.last(), TestFrames.of("84 00 0000 03 00000003 0001 41"));
    told();
    lane.pass(10_000);
    assertThat(channel.isActive()).isFalse();
    assertThat(path.log).contains("end");
  }

  @Test
  void a_login_that_no_node_answers_gets_an_error_before_it_is_closed() {
    arrive(STARTUP);
    lane.pass(10_000);
    assertThat(told()).singleElement().asString().contains("did not log in within 10000 ms");
    assertThat(channel.isActive()).isFalse();
  }

  /** Each login costs a node a bcrypt, and only new connections are limited by their rate. */
  @Test
  void a_connection_whose_third_login_fails_is_closed_after_its_error() {
    for (int i = 1; i <= 3; i++) {
      assertThat(channel.isActive()).as("login %d", i).isTrue();
      arrive(STARTUP);
      answer(path.last(), TestFrames.of("84 00 0000 03 00000003 0001 41"));
      arrive(AUTH_RESPONSE);
      answer(path.last(), CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "no"));
      assertThat(told()).containsExactly("1: opcode 3", "2: 0100 no");
    }
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.HANDSHAKE)).isOne();
  }

  @Test
  void a_connection_that_has_logged_in_stays() {
    makeReady();
    lane.pass(100_000);
    assertThat(channel.isActive()).isTrue();
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void requests_in_flight_are_counted_until_they_are_answered() {
    makeReady();
    Frame large =
        TestFrames.of("04 00 0001 07 " + "%08x".formatted(100_000) + "00".repeat(100_000));
    channel.writeInbound(large);
    assertThat(memory.used()).isEqualTo(100_009);
    answer(path.last(), CqlCodec.error(4, ErrorCode.INVALID, "no"));
    told();
    assertThat(memory.used()).isZero();
  }

  @Test
  void waiting_requests_retain_no_large_read_buffers() {
    makeReady();
    CountedBuffers buffers = new CountedBuffers();
    for (int i = 0; i < 100; i++) {
      Frame small = TestFrames.of(QUERY.formatted(i));
      channel.writeInbound(TestFrames.inLargeRead(buffers, small));
    }
    assertThat(buffers.pinnedDirectMemory()).isLessThan(128 * 1024);
    path.requests.subList(1, 101).forEach(each -> answer(each, CqlCodec.ready(4)));
    assertThat(told()).hasSize(100);
    assertThat(buffers.held()).isZero();
  }

  @Test
  void a_client_above_its_share_is_not_read_from_until_it_is_answered() {
    makeReady();
    LongConsumer others = memory.count();
    others.accept(7 << 20);
    Frame large =
        TestFrames.of("04 00 0001 07 " + "%08x".formatted(600_000) + "00".repeat(600_000));
    channel.writeInbound(large);
    assertThat(channel.config().isAutoRead()).isFalse();
    answer(path.last(), CqlCodec.ready(4));
    assertThat(channel.config().isAutoRead()).isTrue();
    others.accept(0);
    told();
  }

  @Test
  void a_client_whose_parsed_requests_take_its_share_is_not_read_from() {
    makeReady();
    List<Integer> streams = List.of(1, 2, 3);
    for (int stream : streams) {
      assertThat(channel.config().isAutoRead()).isTrue();
      arrive(QUERY.formatted(stream));
      client().buffered(1 << 20);
      channel.pipeline().fireChannelReadComplete();
    }
    assertThat(channel.config().isAutoRead()).isFalse();
    for (int stream : streams) {
      client().buffered(-(1 << 20));
      answer(path.requests.get(stream), CqlCodec.ready(4));
    }
    assertThat(channel.config().isAutoRead()).isTrue();
    told();
  }

  @Test
  void requests_during_a_drain_are_sent_to_another_host() {
    makeReady();
    arrive(QUERY.formatted(1));
    session.drain();
    lane.runSoon();
    arrive(QUERY.formatted(2));
    assertThat(told()).containsExactly("2: 1002 Sluice is shutting down; ask another host");
    assertThat(path.log).filteredOn("request"::equals).hasSize(1);
    answer(path.requests.get(1), CqlCodec.ready(4));
    assertThat(told()).containsExactly("1: opcode 2");
    assertThat(channel.isActive()).isFalse();
  }

  private static Frame startup(Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("CQL_VERSION", "3.0.0");
    return CqlCodec.startup(4, options).onStream(1);
  }

  private static Frame startup(int more) {
    return startup(
        IntStream.range(0, more).boxed().collect(Collectors.toMap(i -> "o" + i, i -> "")));
  }

  /** The options would take ten times their bytes of the heap, before any login. */
  @Test
  void a_long_startup_is_refused() {
    arrive(startup(10_000));
    assertThat(told())
        .singleElement()
        .asString()
        .startsWith("1: 000a STARTUP of ")
        .endsWith(" is longer than 4096");
    assertThat(path.log).isEmpty();
    makeReady();
  }

  @Test
  void a_startup_of_too_many_options_is_refused() {
    arrive(startup(64));
    assertThat(told()).containsExactly("1: 000a STARTUP has 65 options, more than 64");
    assertThat(path.log).isEmpty();
    arrive(startup(63));
    assertThat(path.log).singleElement().asString().startsWith("startup ");
  }

  @Test
  void long_names_of_a_driver_are_cut() {
    String name = "a".repeat(1_000);
    arrive(startup(Map.of("DRIVER_NAME", name, "DRIVER_VERSION", name, "APPLICATION_NAME", name)));
    String cut = "a".repeat(256);
    assertThat(client().driver()).isEqualTo(new ClientFacts.Driver(cut, cut, cut));
  }

  /** As Cassandra does. */
  @Test
  void the_names_of_startup_options_may_be_in_lower_case() {
    arrive(
        "04 00 0001 01 00000028 0002 000b 63716c5f76657273696f6e 0005 332e302e30"
            + " 000b 636f6d7072657373696f6e 0003 4c5a34");
    assertThat(path.log).containsExactly("startup {CQL_VERSION=3.0.0}");
  }
}
