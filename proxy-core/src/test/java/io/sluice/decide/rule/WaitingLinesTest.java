package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota.Entrant;
import org.junit.jupiter.api.Test;

/** Tests the order of two lines with one order of arrival. */
class WaitingLinesTest {

  private final WaitingLines lines = new WaitingLines();

  private static final class Waiting extends Entrant {

    Waiting(Line line) {
      super(line);
    }

    @Override
    protected void letIn() {
      throw new AssertionError("lines let none in");
    }

    @Override
    protected void refused(Limit limit) {
      throw new AssertionError("lines refuse none");
    }
  }

  private Entrant add(Line line, long now) {
    Entrant added = new Waiting(line);
    lines.add(added, now);
    return added;
  }

  @Test
  void each_line_keeps_the_order_of_arrival() {
    Entrant range = add(Line.RANGE_READS, 5);
    Entrant other = add(Line.OTHERS, 6);
    add(Line.OTHERS, 7);
    assertThat(lines.size()).isEqualTo(3);
    assertThat(lines.first(Line.RANGE_READS)).isSameAs(range);
    assertThat(lines.removeFirst(Line.OTHERS)).isSameAs(other);
    assertThat(other.since).isEqualTo(6);
    assertThat(other.state).isEqualTo(Entrant.State.WAITING);
    assertThat(range.order).isLessThan(other.order);
    assertThat(lines.size()).isEqualTo(2);
  }

  @Test
  void the_last_is_the_later_one_of_both_lines() {
    Entrant first = add(Line.OTHERS, 0);
    Entrant second = add(Line.RANGE_READS, 0);
    Entrant third = add(Line.OTHERS, 0);
    assertThat(lines.removeLast()).isSameAs(third);
    assertThat(lines.removeLast()).isSameAs(second);
    assertThat(lines.removeLast()).isSameAs(first);
    assertThat(lines.size()).isZero();
    assertThat(lines.first(Line.OTHERS)).isNull();
  }

  @Test
  void one_may_leave_the_middle() {
    Entrant first = add(Line.RANGE_READS, 0);
    Entrant second = add(Line.RANGE_READS, 0);
    Entrant third = add(Line.RANGE_READS, 0);
    lines.remove(second);
    assertThat(lines.removeFirst(Line.RANGE_READS)).isSameAs(first);
    assertThat(lines.removeFirst(Line.RANGE_READS)).isSameAs(third);
  }
}
