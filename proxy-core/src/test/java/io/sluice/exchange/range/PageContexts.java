package io.sluice.exchange.range;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.share.ScanSharing;
import io.sluice.exchange.TestClient;
import io.sluice.meter.HomeMeters;
import io.sluice.meter.SplitMeters;
import io.sluice.ring.Table;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Creates the contexts of pages at the proxy of a {@link PageFixture}, with metrics, prepared
 * statements and a memory limit of their own. No page is read.
 */
final class PageContexts implements AutoCloseable {

  private static final Table TABLE = new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")));

  final PageFixture fixture;
  final BufferBudget budget;
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  /** The client of the pages, which may use another protocol version than the fixture's. */
  TestClient client;

  private final SplitConfig config;
  private final SplitMeters splitMeters;
  private final List<Frame> requests = new ArrayList<>();

  /** Creates contexts whose pages may hold this number of bytes together. */
  PageContexts(SplitConfig config, int budgetBytes) {
    this.config = config;
    this.fixture = new PageFixture(config);
    this.budget = new BufferBudget(budgetBytes, fixture.memory);
    this.client = fixture.client;
    this.splitMeters = new SplitMeters(meters, budget::used);
  }

  /** Returns the collaborators of split range reads, with links to home proxies. */
  RangeContext split() {
    return split(config);
  }

  /** Returns such collaborators with other settings. */
  RangeContext split(SplitConfig settings) {
    return new RangeContext(
        new ScatterPlanner(settings),
        fixture.densities,
        new PiecePreparer(fixture.context.dispatcher(), new PreparedCache(10, 1 << 20)),
        new ScanSharing<>(),
        budget,
        splitMeters,
        new PieceHomes(
            fixture.context.dispatcher(),
            new HomeHealth(fixture.lane),
            new HomeMeters(meters),
            () -> {}));
  }

  /** Returns the page that a request asks for. Takes the frame over. */
  RangePage page(Frame request) {
    return page(request, fixture.statement(request));
  }

  /** Returns the page that a request asks for with this statement. Takes the frame over. */
  RangePage page(Frame request, Statement statement) {
    requests.add(request);
    RangeStatement range = Objects.requireNonNull(statement.range());
    return new RangePage(
        client,
        request,
        statement,
        range,
        range.digest(Objects.requireNonNull(statement.classified().select())),
        null,
        fixture.lane.nanoTime());
  }

  TableDensity density(RangePage page) {
    return fixture.densities.of(TABLE, page.range().split());
  }

  /** Plans the page as of a client of protocol 4. */
  Scatter plan(RangePage page) {
    RangePage planned =
        new RangePage(
            fixture.client,
            page.frame(),
            page.statement(),
            page.range(),
            page.digest(),
            null,
            page.arrivalNanos());
    return Objects.requireNonNull(fixture.reads.scatter(planned), "it can be split");
  }

  PageContext context(String cql, int pageSize) {
    return context(page(TestFrames.page(cql, pageSize, null)), split());
  }

  PageContext context(RangePage page, RangeContext split) {
    return PageContext.of(fixture.context, split, page, plan(page), density(page), null);
  }

  /** Returns the count of this meter under these tags. */
  double counted(String meter, String... tags) {
    return meters.get(meter).tags(tags).counter().count();
  }

  /** Checks that nothing is left of the pages. */
  @Override
  public void close() {
    fixture.close();
    requests.forEach(Frame::release);
  }
}
