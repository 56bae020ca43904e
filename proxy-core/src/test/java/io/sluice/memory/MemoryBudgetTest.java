package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

  private static final long MIB = 1 << 20;
  private static final long LIMIT = 100 * MIB;
  private static final long SHORT = 75 * MIB;

  private final TestLane lane = new TestLane();
  private final MemoryBudget budget = new MemoryBudget(LIMIT);
  private final List<String> evicted = new ArrayList<>();

  /** A client whose counts the test sets. */
  private final class Held implements MemoryAccount.Holder {
    private final String name;
    private final MemoryAccount account = budget.open(this);
    private long taken;
    private int recounts;
    private boolean closesLate;

    Held(String name) {
      this(name, true);
    }

    Held(String name, boolean loggedIn) {
      this.name = name;
      if (loggedIn) {
        account.loggedIn();
      }
    }

    /** Sets the unread bytes, and adds to the bytes that were read. */
    Held unread(long bytes, long read) {
      taken += read;
      account.unread(bytes, taken);
      return this;
    }

    @Override
    public Lane lane() {
      return lane;
    }

    @Override
    public void recount() {
      recounts++;
    }

    @Override
    public void evict(long bytes) {
      evicted.add(name);
      if (!closesLate) {
        account.close();
      }
    }
  }

  @Test
  void all_kinds_of_memory_count_until_they_are_released() {
    MemoryAccount account = new Held("a").account;
    account.requests(MIB);
    account.unread(2 * MIB, 0);
    account.unfinished(4 * MIB);
    assertThat(budget.used()).isEqualTo(7 * MIB);
    account.requests(-MIB);
    account.unread(0, 2 * MIB);
    account.unfinished(0);
    assertThat(budget.used()).isZero();
  }

  @Test
  void what_a_client_holds_is_counted_to_a_kilobyte() {
    MemoryAccount account = new Held("a").account;
    account.requests(1023);
    assertThat(budget.used()).isZero();
    account.requests(1);
    assertThat(budget.used()).isEqualTo(1024);
    account.requests(-1024);
    assertThat(budget.used()).isZero();
  }

  @Test
  void a_share_is_half_of_what_is_free() {
    Held greedy = new Held("greedy");
    greedy.account.requests(33 * MIB);
    assertThat(greedy.account.isOverShare()).isFalse();
    greedy.account.requests(MIB);
    assertThat(greedy.account.isOverShare()).isTrue();
    Held second = new Held("second");
    second.account.requests(23 * MIB);
    assertThat(second.account.isOverShare()).isTrue();
  }

  @Test
  void a_small_client_is_never_over_its_share() {
    budget.add(2 * LIMIT);
    MemoryAccount small = new Held("small").account;
    small.requests(MemoryBudget.SMALL_BYTES);
    assertThat(small.isOverShare()).isFalse();
    assertThat(small.share()).isEqualTo(MemoryBudget.SMALL_BYTES);
  }

  /** Otherwise the frame could never be completed. */
  @Test
  void reading_continues_for_an_unfinished_frame_alone() {
    MemoryAccount account = new Held("a").account;
    account.unfinished(60 * MIB);
    assertThat(account.isOverShare()).isFalse();
    account.requests(1);
    assertThat(account.isOverShare()).isTrue();
  }

  @Test
  void when_memory_is_short_the_largest_client_that_reads_nothing_is_disconnected_first() {
    new Held("small").unread(20 * MIB, 0);
    new Held("large").unread(30 * MIB, 0);
    Held reads = new Held("reads").unread(40 * MIB, 0);
    assertThat(budget.used()).isGreaterThan(SHORT);
    lane.pass(4_999);
    assertThat(evicted).isEmpty();
    reads.unread(40 * MIB, 10 * MIB);
    lane.pass(1);
    assertThat(evicted).hasSize(1).doesNotContain("reads");
    assertThat(budget.used()).isLessThan(SHORT);
    lane.pass(60_000);
    assertThat(evicted).as("memory is not short any more").hasSize(1);
  }

  @Test
  void a_byte_a_second_is_not_reading() {
    Held drips = new Held("drips").unread(80 * MIB, 0);
    for (int i = 0; i < 5; i++) {
      drips.unread(80 * MIB, 1);
      lane.pass(1_000);
    }
    assertThat(evicted).containsExactly("drips");
  }

  @Test
  void a_client_that_reads_nothing_stays_while_memory_is_not_short() {
    new Held("a").unread(70 * MIB, 0);
    lane.pass(600_000);
    assertThat(evicted).isEmpty();
  }

  @Test
  void before_the_limit_is_reached_the_largest_client_is_disconnected_at_once() {
    new Held("a").unread(30 * MIB, 0);
    new Held("b").unread(40 * MIB, 0);
    new Held("c").unread(23 * MIB, 0);
    assertThat(evicted).as("93 of 100 MiB").isEmpty();
    new Held("d").unread(MIB, 0);
    assertThat(evicted).as("94 of 100 MiB").containsExactly("b");
    lane.runSoon();
    assertThat(budget.used()).isEqualTo(54 * MIB);
  }

  @Test
  void enough_clients_are_disconnected() {
    for (String name : List.of("a", "b", "c", "d")) {
      new Held(name).unread(10 * MIB, 0).closesLate = true;
    }
    new Held("loads").account.requests(80 * MIB);
    assertThat(evicted).hasSize(3);
    assertThat(budget.used()).isEqualTo(90 * MIB);
  }

  @Test
  void small_clients_stay_however_many_they_are() {
    for (int i = 0; i < 2 * LIMIT / MemoryBudget.SMALL_BYTES; i++) {
      new Held("small").unread(MemoryBudget.SMALL_BYTES, 0);
    }
    lane.pass(60_000);
    assertThat(evicted).isEmpty();
  }

  /** The connection may take a moment to close. */
  @Test
  void a_client_is_disconnected_once() {
    Held slow = new Held("slow").unread(40 * MIB, 0);
    slow.closesLate = true;
    new Held("next").unread(30 * MIB, 0);
    new Held("loads").account.requests(70 * MIB);
    new Held("loads, too").account.requests(70 * MIB);
    assertThat(evicted).containsExactly("slow", "next");
  }

  @Test
  void a_search_that_found_no_client_is_forgotten_when_memory_is_free_again() {
    Held loads = new Held("loads");
    loads.account.requests(2 * LIMIT);
    loads.account.requests(-2 * LIMIT);
    new Held("unread").unread(LIMIT + MIB, 0);
    assertThat(evicted).containsExactly("unread");
  }

  @Test
  void the_held_bytes_are_counted_again_before_a_client_counts_as_lagging() {
    Held held = new Held("a").unread(MIB, 0);
    lane.pass(4_999);
    assertThat(held.recounts).isZero();
    lane.pass(1);
    assertThat(held.recounts).isEqualTo(1);
  }

  /** Closing the connection would free nothing, as a node's response is still awaited. */
  @Test
  void requests_in_flight_are_no_reason_to_disconnect() {
    new Held("loads").account.requests(2 * LIMIT);
    assertThat(evicted).isEmpty();
  }

  @Test
  void an_unfinished_frame_that_does_not_grow_is_like_an_unread_answer() {
    new Held("half").account.unfinished(80 * MIB);
    lane.pass(5_000);
    assertThat(evicted).containsExactly("half");
  }

  @Test
  void an_unfinished_frame_that_the_proxy_itself_does_not_read_is_not() {
    MemoryAccount waits = new Held("waits").account;
    waits.unfinished(80 * MIB);
    waits.reading(false);
    lane.pass(60_000);
    assertThat(evicted).isEmpty();
  }

  @Test
  void requests_of_a_disconnected_client_count_until_they_are_answered_or_forgotten() {
    MemoryAccount gone = new Held("gone").account;
    gone.requests(2 * MIB);
    gone.close();
    assertThat(budget.used()).isEqualTo(2 * MIB);
    gone.requests(-MIB);
    assertThat(budget.used()).isEqualTo(MIB);
    lane.pass(60_000);
    assertThat(budget.used()).isZero();
    gone.requests(-MIB);
    assertThat(budget.used()).isZero();
    new Held("next").account.requests(MIB);
    assertThat(budget.used()).as("what was forgotten is not given back again").isEqualTo(MIB);
  }

  @Test
  void answers_that_are_buffered_for_a_client_count_as_its_own() {
    MemoryAccount account = new Held("a").account;
    account.buffered(40 * MIB);
    assertThat(budget.used()).isEqualTo(40 * MIB);
    assertThat(account.held()).isEqualTo(40 * MIB);
    assertThat(account.isOverShare()).isTrue();
    account.buffered(-40 * MIB);
    assertThat(budget.used()).isZero();
  }

  @Test
  void buffers_of_a_disconnected_client_count_until_they_are_released_or_forgotten() {
    MemoryAccount gone = new Held("gone").account;
    gone.buffered(2 * MIB);
    gone.close();
    assertThat(budget.used()).isEqualTo(2 * MIB);
    gone.buffered(-MIB);
    assertThat(budget.used()).isEqualTo(MIB);
    lane.pass(60_000);
    assertThat(budget.used()).isZero();
    gone.buffered(-MIB);
    assertThat(budget.used()).isZero();
  }

  @Test
  void memory_of_no_client_reduces_the_share_of_all() {
    LongConsumer link = budget.count();
    link.accept(60 * MIB);
    assertThat(budget.used()).isEqualTo(60 * MIB);
    assertThat(budget.share()).isEqualTo(20 * MIB);
    link.accept(0);
    assertThat(budget.used()).isZero();
  }

  @Test
  void above_half_of_the_limit_there_is_no_room_for_optional_buffers() {
    LongConsumer others = budget.count();
    others.accept(50 * MIB);
    assertThat(budget.isRoomy()).isTrue();
    others.accept(51 * MIB);
    assertThat(budget.isRoomy()).isFalse();
  }

  @Test
  void range_reads_of_the_largest_are_refused_while_memory_is_filling() {
    MemoryAccount large = new Held("large").unread(10 * MIB, 0).account;
    MemoryAccount small = new Held("small").unread(MIB, 0).account;
    LongConsumer others = budget.count();
    others.accept(51 * MIB);
    assertThat(large.isFilling()).as("62 of 100 MiB").isFalse();
    assertThat(large.rangeRefusal()).isNull();
    others.accept(53 * MIB);
    assertThat(small.isFilling()).as("64 of 100 MiB").isTrue();
    assertThat(large.rangeRefusal()).contains("10485760 bytes", "cql.maxMemoryPercent");
    assertThat(small.rangeRefusal()).isNull();
    assertThat(evicted).isEmpty();
  }

  @Test
  void clients_before_login_hold_an_eighth_and_beyond_that_only_what_a_login_needs() {
    List<Held> silent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      silent.add(new Held("silent " + i, false));
      silent.get(i).account.unfinished(64 << 10);
      lane.runSoon();
    }
    assertThat(evicted).isEmpty();
    Held next = new Held("one more", false);
    next.account.unfinished(MemoryBudget.LOGIN_BYTES);
    lane.runSoon();
    assertThat(evicted).isEmpty();
    next.account.unfinished(MemoryBudget.LOGIN_BYTES + 1);
    lane.runSoon();
    assertThat(evicted).containsExactly("one more");
    silent.forEach(each -> each.account.close());
    next.account.close();
    lane.runSoon();
    assertThat(budget.used()).isZero();
  }

  @Test
  void requests_before_login_are_a_part_of_the_eighth() {
    Held loggedIn = new Held("logged in").unread(100 << 10, 0);
    List<Held> asking = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      asking.add(new Held("asking " + i, false));
      asking.get(i).account.requests(64 << 10);
      lane.runSoon();
    }
    assertThat(evicted).isEmpty();
    Held next = new Held("one more", false);
    next.account.requests(64 << 10);
    lane.runSoon();
    assertThat(evicted).containsExactly("one more");
    next.account.requests(-64 << 10);
    asking.forEach(each -> each.account.close());
    loggedIn.account.close();
    assertThat(budget.used()).isZero();
  }

  /** The session releases its handshake, and no answer follows. */
  @Test
  void a_request_before_login_ends_with_its_connection() {
    MemoryAccount gone = new Held("gone", false).account;
    gone.requests(2 * MIB);
    gone.close();
    assertThat(budget.used()).isZero();
    gone.requests(-2 * MIB);
    assertThat(budget.used()).isZero();
  }

  @Test
  void a_login_frees_memory_for_others_to_log_in() {
    for (int i = 0; i < 400; i++) {
      Held client = new Held("client " + i, false);
      client.account.unfinished(64 << 10);
      client.account.loggedIn();
      lane.runSoon();
    }
    assertThat(evicted).isEmpty();
  }
}
