package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MailboxTest {

  private final Mailbox<String> mailbox = new Mailbox<>();

  @Test
  void requests_are_taken_once_and_in_order() {
    assertThat(mailbox.add("one")).isTrue();
    assertThat(mailbox.add("two")).isTrue();

    assertThat(mailbox.takeAll()).containsExactly("one", "two");
    assertThat(mailbox.takeAll()).isEmpty();
  }

  @Test
  void a_closed_mailbox_keeps_what_waits_and_accepts_no_more() {
    mailbox.add("one");
    mailbox.close();

    assertThat(mailbox.add("two")).isFalse();
    assertThat(mailbox.takeAll()).containsExactly("one");
  }
}
