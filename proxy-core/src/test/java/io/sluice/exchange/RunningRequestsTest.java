package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the requests in flight, on two lanes. */
class RunningRequestsTest extends ExchangeFixture {

  private final TestLane otherLane = new TestLane();

  private Asked start() {
    return own(WRITE, own -> {});
  }

  private List<Asked> start(int count) {
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(start());
    }
    return all;
  }

  private static long id(Asked asked) {
    return asked.exchange().id;
  }

  private List<Long> runningIds() {
    return running().stream().map(RequestFacts::id).toList();
  }

  @Test
  void requests_are_shown_from_the_newest_to_the_oldest() {
    List<Asked> all = start(3);
    assertThat(runningIds()).containsExactly(id(all.get(2)), id(all.get(1)), id(all.get(0)));
  }

  @ParameterizedTest
  @CsvSource({"0, 2 1", "1, 2 0", "2, 1 0"})
  void a_request_that_ends_leaves_the_others_wherever_it_was(int ended, String left) {
    List<Asked> all = start(3);
    all.get(ended).exchange().end("not now");
    List<Long> expected = new ArrayList<>();
    for (String each : left.split(" ", -1)) {
      expected.add(id(all.get(Integer.parseInt(each))));
    }
    assertThat(runningIds()).isEqualTo(expected);
    Asked next = start();
    assertThat(runningIds()).startsWith(id(next)).hasSize(3);
  }

  @Test
  void no_two_requests_of_any_lane_have_the_same_number() {
    Set<Long> ids = new HashSet<>();
    for (Asked each : start(3)) {
      ids.add(id(each));
    }
    client = new TestClient(4, otherLane);
    for (Asked each : start(3)) {
      ids.add(id(each));
    }
    assertThat(ids).hasSize(6).allMatch(id -> id > 0);
    List<RequestFacts> facts = new ArrayList<>();
    context.running().facts(lane, facts::addAll);
    otherLane.runSoon();
    lane.runSoon();
    assertThat(facts).extracting(RequestFacts::id).containsExactlyInAnyOrderElementsOf(ids);
    otherLane.pass(2_000);
  }

  private int end(Long... ids) {
    List<Integer> ended = new ArrayList<>();
    context.running().end(List.of(ids), "ended by ops", lane, ended::add);
    lane.runSoon();
    assertThat(ended).hasSize(1);
    return ended.get(0);
  }

  @Test
  void the_requests_of_some_numbers_are_ended_and_counted_and_no_others() {
    List<Asked> all = start(4);
    assertThat(end(id(all.get(0)), id(all.get(2)), 1L)).isEqualTo(2);
    assertThat(all.get(0).words()).isEqualTo("ended by ops");
    assertThat(all.get(2).said()).isEqualTo("1100");
    assertThat(all.get(1).answers).isEmpty();
    assertThat(all.get(3).answers).isEmpty();
    assertThat(end(id(all.get(0)))).as("requests that had ended").isZero();
    assertThat(end()).isZero();
  }
}
