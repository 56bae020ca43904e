package io.sluice.console;

import io.sluice.console.Console.Sources;
import io.sluice.console.ConsoleTable.Access;
import io.sluice.exchange.ProxyContext;
import java.util.List;
import java.util.stream.Stream;

/** The list of all tables of {@code system_proxy}, each with the source of its rows. Stateless. */
final class ConsoleTables {

  private ConsoleTables() {}

  static List<ConsoleTable<?>> of(ProxyContext context, Sources sources, SettingChange settings) {
    return Stream.of(
            ofNodes(context, sources),
            ofClients(context, sources),
            ofProcess(context, sources, settings))
        .flatMap(List::stream)
        .toList();
  }

  private static List<ConsoleTable<?>> ofNodes(ProxyContext context, Sources sources) {
    return List.of(
        new ConsoleTable<>(
            NodeTables.NODES,
            Access.ALL,
            (asker, then) ->
                then.accept(
                    NodeTables.nodes(
                        context.view(),
                        context.scheduler().snapshot(),
                        context.health(),
                        context.config(),
                        context.meters().reads())),
            new NodeChange(context.health(), context.audit())),
        ConsoleTable.of(
            NodeTables.QUEUES,
            Access.ALL,
            asker -> NodeTables.queues(context.view(), context.scheduler().snapshot())),
        ConsoleTable.of(
            ShadowTable.SHADOW,
            Access.ALL,
            asker -> ShadowTable.rows(context.view(), sources.shadow().get())),
        new ConsoleTable<>(
            ProcessTables.LINKS,
            Access.OWN,
            (asker, then) ->
                sources
                    .links()
                    .accept(
                        asker.lane(),
                        all -> then.accept(ProcessTables.links(all, asker, sources.time().now())))),
        ConsoleTable.of(
            EstimatesTable.ESTIMATES,
            Access.OPERATORS,
            asker ->
                EstimatesTable.facts(
                    sources.densities().known(),
                    context.cluster().estimatesTried(),
                    context.clock().nanoTime(),
                    sources.time().now())),
        ConsoleTable.of(
            NodeTables.TENANTS,
            Access.OWN,
            asker -> NodeTables.tenants(context.view(), context.scheduler().tenants(), asker)));
  }

  private static List<ConsoleTable<?>> ofClients(ProxyContext context, Sources sources) {
    return List.of(
        new ConsoleTable<>(
            ProcessTables.CLIENTS,
            Access.OWN,
            (asker, then) ->
                sources
                    .clients()
                    .accept(
                        asker.lane(),
                        all ->
                            then.accept(
                                all.stream().filter(each -> asker.sees(each.role())).toList()))),
        new ConsoleTable<>(
            RequestTables.REQUESTS,
            Access.OWN,
            (asker, then) ->
                context
                    .running()
                    .facts(
                        asker.lane(),
                        all -> then.accept(RequestTables.seen(all, asker, sources.time().now()))),
            new RequestEnd(context.running(), context.audit())),
        new ConsoleTable<>(
            UsageTables.STATEMENTS,
            Access.OWN,
            (asker, then) ->
                context
                    .usage()
                    .statements(asker.lane(), all -> then.accept(UsageTables.seen(all, asker)))),
        new ConsoleTable<>(
            UsageTables.TABLES,
            Access.OPERATORS,
            (asker, then) -> context.usage().tables(asker.lane(), then)),
        new ConsoleTable<>(
            ProcessTables.PREPARED,
            Access.OPERATORS,
            (asker, then) ->
                context
                    .usage()
                    .statements(
                        asker.lane(),
                        counted ->
                            then.accept(
                                ProcessTables.prepared(sources.prepared().get(), counted)))));
  }

  private static List<ConsoleTable<?>> ofProcess(
      ProxyContext context, Sources sources, SettingChange settings) {
    return List.of(
        ConsoleTable.of(
            ProcessTables.PROXIES,
            Access.ALL,
            asker ->
                ProcessTables.proxies(
                    context.config().advertise(), asker.connectedTo(), context.config().peers())),
        new ConsoleTable<>(
            ProcessTables.SETTINGS,
            Access.OPERATORS,
            (asker, then) -> then.accept(sources.host().settings()),
            settings),
        new ConsoleTable<>(
            ProcessTables.CONFIGURATION,
            Access.OPERATORS,
            (asker, then) -> then.accept(sources.host().configuration()),
            new ConfigurationChange(sources.host())),
        ConsoleTable.of(
            RuleTables.RULES,
            Access.OWN,
            asker ->
                RuleTables.rules(
                    RuleTables.seen(context.rules().facts(), asker), context.view().ring())),
        ConsoleTable.of(
            RuleTables.LIMITS,
            Access.OWN,
            asker -> RuleTables.limits(RuleTables.seen(context.rules().facts(), asker))),
        ConsoleTable.of(ProcessTables.LOG, Access.OPERATORS, asker -> sources.host().log()));
  }
}
