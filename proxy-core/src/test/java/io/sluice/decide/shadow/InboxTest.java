package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.shadow.Inbox.Note;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the order and the bound of the notes of several threads, and that each is taken once. */
class InboxTest {
  private final Inbox inbox = new Inbox();
  private final List<Long> happened = new ArrayList<>();

  private Note note(long at, boolean mayBeLost) {
    return new Note(at) {
      @Override
      boolean mayBeLost() {
        return mayBeLost;
      }

      @Override
      void happen() {
        happened.add(at());
      }
    };
  }

  private void add(long... times) {
    for (long at : times) {
      inbox.add(note(at, true));
    }
  }

  private List<Long> taken() {
    return inbox.take().stream().map(Note::at).toList();
  }

  @Test
  void notes_are_taken_in_order_of_time_and_once() {
    add(3, 1, 2);
    assertThat(taken()).containsExactly(1L, 2L, 3L);
    assertThat(taken()).isEmpty();
  }

  @Test
  void notes_of_one_time_keep_their_order() {
    Note first = note(5, true);
    Note second = note(5, true);
    inbox.add(first);
    inbox.add(second);
    assertThat(inbox.take()).containsExactly(first, second);
  }

  @Test
  void the_inbox_is_bounded_and_counts_lost_notes() {
    for (int i = 0; i < Inbox.MAX + 7; i++) {
      add(i);
    }
    assertThat(inbox.lost()).isEqualTo(7);
    assertThat(taken()).hasSize(Inbox.MAX).endsWith(Inbox.MAX - 1L);
    add(1);
    assertThat(taken()).containsExactly(1L);
    assertThat(inbox.lost()).isEqualTo(7);
  }

  @Test
  void a_change_of_nodes_or_settings_is_never_lost() {
    for (int i = 0; i < Inbox.MAX; i++) {
      add(i);
    }
    inbox.add(note(Inbox.MAX, false));
    assertThat(taken()).endsWith((long) Inbox.MAX);
    assertThat(inbox.lost()).isZero();
  }

  @Test
  void no_note_is_lost_between_threads() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int from = i * 1000;
      threads.add(
          new Thread(
              () -> {
                for (int at = from; at < from + 1000; at++) {
                  add(at);
                }
              }));
    }
    threads.forEach(Thread::start);
    List<Long> all = new ArrayList<>(taken());
    for (Thread thread : threads) {
      thread.join();
    }
    all.addAll(taken());
    all.sort(Comparator.naturalOrder());
    assertThat(all).hasSize(4000).doesNotHaveDuplicates();
  }
}
