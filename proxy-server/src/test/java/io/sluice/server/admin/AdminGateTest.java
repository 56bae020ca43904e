package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.live.LivePage;
import io.sluice.setting.Secret;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminGateTest {
  private static final String PAGE = "/metrics";

  private final AdminGate open = new AdminGate(null);
  private final AdminGate closed = new AdminGate(new Secret(" sesame\n"));

  private static HttpFields with(HttpHeader header, String value) {
    return HttpFields.build().add(header, value);
  }

  private boolean authorized(String authorization) {
    return closed.allows(PAGE, with(HttpHeader.AUTHORIZATION, authorization));
  }

  private boolean streamFor(String host) {
    return open.allows(LivePage.STREAM, with(HttpHeader.HOST, host));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer sesame", "bearer sesame", "BEARER  sesame ", "Bearer \tsesame"})
  void the_token_is_compared_without_blanks_and_the_scheme_without_case(String authorization) {
    assertThat(authorized(authorization)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer sesam",
        "Bearer sesame1",
        "Bearer Sesame",
        "Bearer",
        "Bearer ",
        "Basic sesame",
        "sesame",
        "Bearersesame"
      })
  void another_token_or_scheme_is_refused(String authorization) {
    assertThat(authorized(authorization)).isFalse();
  }

  @Test
  void a_request_without_the_header_is_refused_and_its_address_does_not_help() {
    assertThat(closed.allows(PAGE, HttpFields.EMPTY)).isFalse();
    assertThat(closed.allows(LivePage.STREAM, with(HttpHeader.HOST, "127.0.0.1"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/readyz"})
  void probes_are_open(String path) {
    assertThat(closed.allows(path, HttpFields.EMPTY)).isTrue();
    assertThat(open.allows(path, HttpFields.EMPTY)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez/", "/readyz2", "/", ""})
  void a_path_like_that_of_a_probe_is_none(String path) {
    assertThat(closed.allows(path, HttpFields.EMPTY)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.0.0.7:8081",
        "localhost",
        "localhost:8081",
        "[::1]:8081",
        "[::1]"
      })
  void without_a_token_the_stream_is_open_by_address(String host) {
    assertThat(streamFor(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"example.com", "127.0.0.1.example.com", "localhost.example.com:8081", "10.0.0"})
  void without_a_token_the_stream_is_closed_by_name(String host) {
    assertThat(streamFor(host)).isFalse();
    assertThat(open.allows(PAGE, with(HttpHeader.HOST, host))).as("another page").isTrue();
  }

  @Test
  void without_a_token_the_stream_is_closed_to_a_request_without_a_host() {
    assertThat(open.allows(LivePage.STREAM, HttpFields.EMPTY)).isFalse();
  }

  @Test
  void it_has_a_token_if_one_is_configured() {
    assertThat(open.hasToken()).isFalse();
    assertThat(closed.hasToken()).isTrue();
  }
}
