package io.sluice.exchange.range;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.exchange.ClientRules;
import io.sluice.exchange.Exchanges;
import io.sluice.exchange.ProxyContext;
import io.sluice.ring.Ring;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plans of requests, and their lines for EXPLAIN. Safe for any thread. */
public final class Plans {

  private final ProxyContext context;
  private final Exchanges exchanges;
  private final ClientRules rules;
  private final RangeReads rangeReads;
  private final Planner planner = new Planner();

  public Plans(ProxyContext context, RangeReads rangeReads) {
    this.context = context;
    this.exchanges = new Exchanges(context);
    this.rules = new ClientRules(context);
    this.rangeReads = rangeReads;
  }

  /** Plans a request. */
  public Plan plan(ClientRequest request, Statement statement) {
    PlanRequest asked =
        new PlanRequest(
            statement.classified(),
            statement.values(),
            statement.pageSize(),
            statement.continues(),
            request.client().id());
    Ring ring = context.ring(statement);
    String unusable = unusable(statement, ring);
    return unusable == null
        ? planner.plan(asked, ring)
        : new Plan.Refuse(new Refusal(Refusal.Reason.UNAVAILABLE, unusable));
  }

  /**
   * Returns the reason why no node of another data centre can serve a statement; null if one may.
   */
  private @Nullable String unusable(Statement statement, Ring ring) {
    if (statement.datacenter() == null) {
      return null;
    } else if (ring.local().isEmpty()) {
      return "The cluster has no such data centre, but "
          + String.join(", ", context.view().ring().datacenters());
    }
    boolean isDown = ring.local().stream().allMatch(node -> context.health().isDown(node.id()));
    return isDown ? "No node is up" : null;
  }

  /** Returns a plan as lines, with a forecast of its admission and wait. */
  public List<PlanLine> lines(ClientRequest request, Statement statement, Plan plan) {
    List<PlanLine> lines = new ArrayList<>(read(request, statement, plan));
    String rule = rules.explain(request.client(), statement);
    if (rule != null) {
      lines.add(PlanLine.note("rule", rule));
    }
    return lines;
  }

  private List<PlanLine> read(ClientRequest request, Statement statement, Plan plan) {
    if (!(plan instanceof Plan.Queue queue)) {
      return plan.explain();
    }
    RangeStatement range = statement.range();
    return range != null
        ? rangeReads.explain(request, statement, range, queue)
        : exchanges.forecast(request, statement, queue, plan.explain());
  }
}
