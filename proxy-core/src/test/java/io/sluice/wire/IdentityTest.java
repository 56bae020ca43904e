package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {

  private static ByteBuffer token(String text) {
    return ByteBuffer.wrap(text.replace('|', '\0').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_plain_token_names_its_role_and_is_replayed_unchanged() {
    Identity identity = Objects.requireNonNull(Identity.ofSaslToken(token("|jürgen|s3cret")));
    assertThat(identity).isEqualTo(Identity.plain("jürgen", "s3cret"));
    assertThat(identity.role()).isEqualTo("jürgen");
    assertThat(identity.token()).isEqualTo(token("|jürgen|s3cret").array());
  }

  /** Each further link of a client replays the token. */
  @Test
  void an_identity_can_be_proved_again_and_again() {
    Identity identity = Identity.plain("a", "x");
    for (int i = 0; i < 3; i++) {
      Frame proof = CqlCodec.authResponse(4, identity);
      assertThat(CqlCodec.readAuthResponse(proof)).isEqualTo(token("|a|x"));
      proof.release();
    }
    assertThat(identity).isEqualTo(Identity.plain("a", "x"));
  }

  @Test
  void the_same_role_with_another_password_is_another_identity() {
    assertThat(Identity.plain("a", "x")).isNotEqualTo(Identity.plain("a", "y"));
    assertThat(Identity.ofSaslToken(token("z|a|x"))).isNotEqualTo(Identity.plain("a", "x"));
    assertThat(Identity.plain("a", "x")).isNotEqualTo(Identity.ANONYMOUS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "|", "a|b", "|||", "||x", "|a|b|c", "negotiate-kerberos"})
  void a_token_of_another_form_cannot_be_replayed(String text) {
    assertThat(Identity.ofSaslToken(token(text))).isNull();
  }

  @Test
  void nothing_printed_shows_the_secret() {
    assertThat(Identity.plain("role", "s3cret").toString()).isEqualTo("role");
  }
}
