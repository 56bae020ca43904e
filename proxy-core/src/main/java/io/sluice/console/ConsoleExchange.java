package io.sluice.console;

import io.sluice.accept.ClientRequest;
import io.sluice.console.ConsoleTable.Access;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.SmallTable;
import io.sluice.execute.table.TablePage;
import io.sluice.execute.table.TableQuery;
import io.sluice.execute.table.Variables;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The exchange for a statement about {@code system_proxy}. No node is asked for its rows. */
final class ConsoleExchange extends Exchange {

  private final Console console;

  ConsoleExchange(
      ProxyContext context, ClientRequest request, Statement statement, Console console) {
    super(context, request, statement, context.requestTimeoutNanos());
    this.console = console;
  }

  @Override
  protected void begin() {
    runOrRefuse(this::run);
  }

  /** A step that may end with an error for the client. */
  private interface Step {
    void run() throws NotAnswerable;
  }

  private void runOrRefuse(Step step) {
    try {
      step.run();
    } catch (NotAnswerable e) {
      fail(new Failure.Refused(ErrorCode.INVALID, String.valueOf(e.getMessage())));
    }
  }

  private void run() throws NotAnswerable {
    if (statement().explained()) {
      throw new NotAnswerable(
          "EXPLAIN works only on tables of the cluster; Sluice itself answers this statement");
    } else if (statement().prepares() != null) {
      prepare(statement().prepares());
      return;
    }
    OwnStatement own = statement().classified().own();
    if (statement().classified().select() != null) {
      select(table());
    } else if (own instanceof OwnStatement.Use) {
      request().client().keyspace(Classified.PROXY_KEYSPACE);
      answer(CqlCodec.keyspaceSet(version(), Classified.PROXY_KEYSPACE));
    } else if (own instanceof OwnStatement.Describe describe) {
      describe(describe);
    } else if (own instanceof OwnStatement.Change change) {
      change(table(), change);
    } else {
      throw new NotAnswerable(
          "system_proxy accepts SELECT, DESCRIBE and USE, and for some tables UPDATE of"
              + " whole values or DELETE of whole rows");
    }
  }

  private void change(ConsoleTable<?> table, OwnStatement.Change change) throws NotAnswerable {
    RowChange effect = table.change();
    if (effect == null) {
      throw new NotAnswerable("system_proxy." + table.shape().name() + " is read only");
    }
    asOperator(
        operator -> {
          if (operator) {
            Asker asker = Asker.of(request().client(), true);
            table.rows(
                asker, all -> guarded(() -> runOrRefuse(() -> change(effect, asker, change, all))));
          } else {
            String reason = denied("change system_proxy." + table.shape().name());
            context().audit().changeDenied(request().client(), table.shape().name(), reason);
            refuse(reason);
          }
        });
  }

  private void change(RowChange effect, Asker asker, OwnStatement.Change change, SmallTable all)
      throws NotAnswerable {
    if (isOver()) {
      return;
    }
    RowSet rows = TableQuery.matching(change.where(), statement().values(), all);
    effect.apply(
        asker,
        change,
        statement().values(),
        rows,
        refusal ->
            guarded(
                () -> {
                  if (refusal == null) {
                    answer(CqlCodec.done(version()));
                  } else {
                    fail(new Failure.Refused(ErrorCode.INVALID, refusal));
                  }
                }));
  }

  private int version() {
    return request().client().version();
  }

  private ConsoleTable<?> table() throws NotAnswerable {
    String name = statement().classified().table();
    ConsoleTable<?> table = name == null ? null : console.table(name);
    if (table == null) {
      throw new NotAnswerable("table " + name + " does not exist");
    }
    return table;
  }

  private void describe(OwnStatement.Describe asked) throws NotAnswerable {
    RowSet rows = console.description().rows(asked);
    if (rows.rows().isEmpty() && asked.name() != null) {
      throw new NotAnswerable("Table '" + asked.name() + "' not found in keyspace 'system_proxy'");
    }
    TablePage page = TablePage.of(rows, SchemaTable.asked(request().frame()));
    answer(CqlCodec.rows(version(), page.rows(), page.pagingState()));
  }

  private void prepare(PreparedText text) throws NotAnswerable {
    List<RowSet.Column> variables = List.of();
    List<RowSet.Column> result = List.of();
    Select select = statement().classified().select();
    List<Restriction> restrictions = new ArrayList<>();
    Expression limit = null;
    if (select != null) {
      result = TableQuery.columns(select, table().shape().table(List.of()));
      restrictions.addAll(select.where().restrictions());
      limit = select.limits().rows();
    } else if (statement().classified().own() instanceof OwnStatement.Change change) {
      restrictions.addAll(change.assignments());
      restrictions.addAll(change.where());
    }
    if (!restrictions.isEmpty() || limit != null) {
      RowSet columns = table().shape().table(List.of()).rows();
      variables = Variables.of(restrictions, limit, columns);
    }
    PreparedId id = PreparedId.of("sluice/" + text.keyspace() + "/" + text.cql());
    answer(CqlCodec.prepared(version(), id, variables, result));
  }

  private void select(ConsoleTable<?> table) {
    if (table.access() == Access.ALL) {
      rows(table, Asker.of(request().client(), false));
    } else {
      asOperator(
          operator -> {
            if (table.access() == Access.OPERATORS && !operator) {
              refuse(denied("see system_proxy." + table.shape().name()));
            } else {
              rows(table, Asker.of(request().client(), operator));
            }
          });
    }
  }

  /** Calls {@code then} when it is known whether the client is an operator. */
  private void asOperator(Consumer<Boolean> then) {
    console
        .operators()
        .ask(
            request().client(),
            operator -> guarded(() -> then.accept(operator)),
            reason -> fail(new Failure.Unreachable(reason)));
  }

  private String denied(String what) {
    return "Role "
        + request().client().identity().role()
        + " may not "
        + what
        + ": only superusers may, or the roles that console.roles names in Sluice's configuration";
  }

  private void refuse(String reason) {
    fail(new Failure.Refused(ErrorCode.UNAUTHORIZED, reason));
  }

  private void rows(ConsoleTable<?> table, Asker asker) {
    table.rows(asker, all -> guarded(() -> runOrRefuse(() -> answer(all))));
  }

  private void answer(SmallTable all) throws NotAnswerable {
    if (isOver()) {
      return;
    }
    TablePage page =
        TableQuery.page(
            statement().classified(),
            statement().values(),
            all,
            SchemaTable.asked(request().frame()));
    answer(CqlCodec.rows(version(), page.rows(), page.pagingState()));
  }

  @Override
  protected void giveUp() {
    // Rows that are still being collected are dropped later, because the exchange is over.
  }
}
