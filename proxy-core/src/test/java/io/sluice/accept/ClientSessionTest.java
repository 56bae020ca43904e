package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a client's connection, frame by frame; the rest of the request path is a fake. */
class ClientSessionTest extends SessionFixture {

  @Test
  void options_are_answered_at_any_time() {
    arrive(OPTIONS);
    assertThat(told()).containsExactly("7: opcode 6");
    arrive(STARTUP);
    arrive(OPTIONS);
    assertThat(told()).containsExactly("7: opcode 6");
    answer(path.last(), CqlCodec.ready(4));
    arrive(OPTIONS);
    assertThat(told()).containsExactly("1: opcode 2", "7: opcode 6");
  }

  @Test
  void requests_before_startup_are_refused_in_cassandras_words() {
    arrive(QUERY.formatted(3));
    arrive("04 00 0004 0b 00000000");
    arrive(AUTH_RESPONSE);
    arrive("04 00 0005 77 00000000");
    assertThat(told())
        .containsExactly(
            "3: 000a Unexpected message QUERY, expecting STARTUP or OPTIONS",
            "4: 000a Unexpected message REGISTER, expecting STARTUP or OPTIONS",
            "2: 000a Unexpected message AUTH_RESPONSE, expecting STARTUP or OPTIONS",
            "5: 000a Unknown opcode 119");
    makeReady();
  }

  @Test
  void a_startup_without_a_cql_version_is_refused_in_cassandras_words() {
    arrive("04 00 0001 01 00000002 0000");
    assertThat(told()).containsExactly("1: 000a Missing value CQL_VERSION in STARTUP message");
    makeReady();
  }

  @Test
  void a_handshake_goes_startup_authenticate_response_success_ready() {
    arrive(STARTUP);
    answer(path.last(), TestFrames.of("84 00 0000 03 00000003 0001 41"));
    arrive(AUTH_RESPONSE);
    answer(path.last(), TestFrames.of("84 00 0000 10 00000004 ffffffff"));
    arrive(QUERY.formatted(9));
    assertThat(told()).containsExactly("1: opcode 3", "2: opcode 16");
    assertThat(path.log).containsExactly("startup {CQL_VERSION=3.0.0}", "auth", "end", "request");
  }

  @Test
  void a_refused_handshake_may_start_again() {
    arrive(STARTUP);
    answer(path.last(), CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "no"));
    assertThat(told()).containsExactly("1: 0100 no");
    makeReady();
    assertThat(path.log).filteredOn("end"::equals).hasSize(2);
  }

  /** Otherwise the response to STARTUP would be lost with its handshake. */
  @Test
  void an_unrelated_request_does_not_end_a_handshake() {
    arrive(STARTUP);
    ClientRequest startup = path.last();
    arrive(QUERY.formatted(3));
    arrive(AUTH_RESPONSE);
    assertThat(told())
        .containsExactly(
            "3: 000a Unexpected message QUERY, expecting SASL_RESPONSE",
            "2: 000a Unexpected message AUTH_RESPONSE, expecting SASL_RESPONSE");
    assertThat(path.log).containsExactly("startup {CQL_VERSION=3.0.0}");
    answer(startup, CqlCodec.ready(4));
    arrive(QUERY.formatted(3));
    assertThat(path.log).last().isEqualTo("request");
  }

  @Test
  void a_second_startup_is_refused() {
    makeReady();
    arrive(STARTUP);
    assertThat(told())
        .containsExactly(
            "1: 000a Unexpected message STARTUP, the connection is already initialized");
  }

  @Test
  void an_unknown_compression_is_refused() {
    arrive(
        "04 00 0001 01 00000027 0002 000b 43514c5f56455253494f4e 0005 332e302e30"
            + " 000b 434f4d5052455353494f4e 0002 787a");
    assertThat(told())
        .containsExactly("1: 000a Unknown or unsupported compression algorithm for v4: xz");
    makeReady();
  }

  /** Clients share links, so the option of one client cannot be passed on. */
  @Test
  void a_connection_with_other_columns_of_compact_tables_is_refused() {
    String noCompact = " 000a 4e4f5f434f4d50414354";
    String version = " 0002 000b 43514c5f56455253494f4e 0005 332e302e30";
    arrive("04 00 0001 01 00000028" + version + noCompact + " 0004 74727565");
    assertThat(told())
        .singleElement()
        .asString()
        .startsWith("1: 000a Sluice does not support NO_COMPACT");
    arrive("04 00 0001 01 00000029" + version + noCompact + " 0005 66616c7365");
    assertThat(path.log).singleElement().asString().contains("NO_COMPACT=false");
  }

  @Test
  void a_client_is_counted_by_its_driver_while_it_is_logged_in() {
    arrive(STARTUP);
    assertThat(drivers.of(DriverFamily.UNNAMED)).isZero();
    answer(path.last(), CqlCodec.ready(4));
    assertThat(drivers.of(DriverFamily.UNNAMED)).isEqualTo(1);
    channel.close();
    lane.runSoon();
    assertThat(drivers.of(DriverFamily.UNNAMED)).isZero();
  }

  @Test
  void a_malformed_startup_is_refused() {
    arrive("04 00 0001 01 00000004 0001 000b");
    assertThat(told()).singleElement().asString().startsWith("1: 000a Malformed message");
  }

  @Test
  void the_version_is_settled_by_the_handshake() {
    makeReady();
    arrive("03 00 0003 05 00000000");
    assertThat(told())
        .containsExactly("3: 000a Invalid message version. Got 3 but previous messages had 4");
  }

  @Test
  void a_request_is_answered_once_on_its_stream() {
    makeReady();
    arrive(QUERY.formatted(300));
    ClientRequest request = path.last();
    Frame second = CqlCodec.error(4, 0, "second");
    answer(request, CqlCodec.ready(4));
    request.replyTo().reply(second);
    assertThat(told()).containsExactly("300: opcode 2");
    assertThat(TestFrames.isReleased(second)).isTrue();
  }

  @Test
  void a_request_that_the_handler_refuses_is_answered() {
    makeReady();
    arrive("04 00 0005 77 00000000");
    arrive("04 00 8005 07 00000000");
    assertThat(told())
        .containsExactly(
            "5: 000a Unknown opcode 119", "-32763: 000a Negative stream id -32763 in a request");
  }

  @Test
  void register_is_remembered_before_it_is_answered() {
    makeReady();
    arrive("04 00 0005 0b 00000011 0001 000d 736368656d615f6368616e6765");
    assertThat(told()).containsExactly("5: opcode 2");
    assertThat(path.log).last().isEqualTo("registered [SCHEMA_CHANGE]");
  }

  @Test
  void an_unknown_event_type_makes_the_whole_register_fail() {
    makeReady();
    arrive("04 00 0005 0b 00000014 0002 000d 736368656d615f6368616e6765 0001 78");
    assertThat(told()).containsExactly("5: 000a Invalid value 'x' for Type");
    assertThat(client().events()).isEmpty();
  }

  @Test
  void reading_stops_at_max_unanswered_and_resumes_at_half() {
    makeReady();
    for (int i = 0; i < 4; i++) {
      assertThat(channel.config().isAutoRead()).isTrue();
      arrive(QUERY.formatted(i));
    }
    assertThat(channel.config().isAutoRead()).isFalse();
    List<ClientRequest> waiting = path.requests.subList(1, 5);
    answer(waiting.get(0), CqlCodec.ready(4));
    assertThat(channel.config().isAutoRead()).isFalse();
    answer(waiting.get(1), CqlCodec.ready(4));
    assertThat(channel.config().isAutoRead()).isTrue();
    told();
  }

  @Test
  void an_answer_to_a_client_that_left_is_released() {
    makeReady();
    arrive(QUERY.formatted(1));
    channel.close();
    Frame answer = CqlCodec.ready(4);
    answer(path.last(), answer);
    Frame event = CqlCodec.ready(4);
    client().push(event);
    assertThat(TestFrames.isReleased(answer)).isTrue();
    assertThat(TestFrames.isReleased(event)).isTrue();
    assertThat(path.last().replyTo().isOpen()).isFalse();
    assertThat(path.log).last().isEqualTo("gone");
  }

  @Test
  void a_client_that_leaves_in_its_handshake_ends_it() {
    arrive(STARTUP);
    channel.close();
    assertThat(path.log).containsExactly("startup {CQL_VERSION=3.0.0}", "end", "gone");
  }

  @Test
  void a_drained_connection_closes_after_its_last_response() {
    makeReady();
    arrive(QUERY.formatted(1));
    session.drain();
    lane.runSoon();
    assertThat(channel.isActive()).isTrue();
    answer(path.last(), CqlCodec.ready(4));
    assertThat(channel.isActive()).isFalse();
  }

  /** A REGISTER for GRACEFUL_DISCONNECT, on stream 3. */
  private static final String REGISTER_GRACEFUL =
      "04 00 0003 0b 00000017 0001 0013 475241434546554c5f444953434f4e4e454354";

  private void makeGraceful() {
    makeReady();
    arrive(REGISTER_GRACEFUL);
    assertThat(told()).containsExactly("3: opcode 2");
    session.drain();
    assertThat(told()).containsExactly("-1: opcode 12");
  }

  @Test
  void a_client_that_registered_for_graceful_disconnect_is_told_first_and_may_close() {
    makeGraceful();
    lane.pass(900);
    assertThat(channel.isActive()).isTrue();
    channel.close();
    lane.pass(20_000);
    assertThat(told()).isEmpty();
  }

  @Test
  void a_graceful_end_is_told_once() {
    makeGraceful();
    session.drain();
    client().end();
    assertThat(told()).isEmpty();
    lane.pass(1_100);
    assertThat(channel.isActive()).as("it was quiet").isFalse();
  }

  @Test
  void requests_that_a_client_sent_before_it_knew_are_served() {
    makeGraceful();
    arrive(QUERY.formatted(1));
    assertThat(told()).as("no refusal").isEmpty();
    lane.pass(1_100);
    answer(path.last(), CqlCodec.ready(4));
    assertThat(told()).containsExactly("1: opcode 2");
    assertThat(channel.isActive()).isTrue();
    lane.pass(1_100);
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_slow_response_is_awaited() {
    makeGraceful();
    arrive(QUERY.formatted(1));
    lane.pass(4_000);
    assertThat(channel.isActive()).isTrue();
    answer(path.last(), CqlCodec.ready(4));
    assertThat(told()).containsExactly("1: opcode 2");
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_client_that_keeps_sending_is_refused_after_five_seconds() {
    makeGraceful();
    for (int second = 0; second < 4; second++) {
      arrive(QUERY.formatted(1));
      answer(path.last(), CqlCodec.ready(4));
      assertThat(told()).containsExactly("1: opcode 2");
      lane.pass(1_000);
    }
    arrive(QUERY.formatted(1));
    lane.pass(1_000);
    arrive(QUERY.formatted(2));
    assertThat(told()).singleElement().asString().startsWith("2: 1002");
    answer(path.last(), CqlCodec.ready(4));
    assertThat(told()).containsExactly("1: opcode 2");
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void a_client_that_did_not_register_for_graceful_disconnect_is_not_told() {
    makeReady();
    arrive(QUERY.formatted(1));
    session.drain();
    assertThat(told()).isEmpty();
    arrive(QUERY.formatted(2));
    assertThat(told()).singleElement().asString().startsWith("2: 1002");
    answer(path.last(), CqlCodec.ready(4));
    assertThat(channel.isActive()).isFalse();
  }

  @Test
  void an_idle_connection_drains_at_once() {
    makeReady();
    session.drain();
    lane.runSoon();
    assertThat(channel.isActive()).isFalse();
  }
}
