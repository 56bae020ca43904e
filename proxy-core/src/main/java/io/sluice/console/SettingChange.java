package io.sluice.console;

import io.sluice.audit.AuditLog;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.decide.rule.Rules;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TableQuery;
import io.sluice.setting.Secret;
import io.sluice.wire.RowSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * UPDATE of {@code settings}: changes a setting until the process ends. DELETE restores the value
 * in the configuration file.
 */
record SettingChange(ProxyContext context, Operators operators, HostView host)
    implements RowChange {

  static final String KEY = "key";
  static final String VALUE = "value";

  @Override
  public void apply(
      Asker asker,
      OwnStatement.Change change,
      BoundValues values,
      RowSet rows,
      Consumer<@Nullable String> then)
      throws NotAnswerable {
    List<String> keys = keys(change, values, rows);
    if (keys.size() != 1) {
      then.accept(
          keys.isEmpty()
              ? "No setting has this key; SELECT key FROM system_proxy.settings shows all"
              : "Only one setting can be changed at a time");
      return;
    }
    String value = null;
    if (!change.deletes()) {
      Map<String, @Nullable String> set = TableQuery.assigned(change.assignments(), rows, values);
      if (!set.containsKey(VALUE) || set.size() > 1) {
        then.accept("Only the column value of system_proxy.settings can be changed");
        return;
      }
      value = set.get(VALUE);
    }
    change(keys.get(0), value, asker, then);
  }

  /** Returns the keys that meet the conditions, or else the key of a row that UPDATE adds. */
  private List<String> keys(OwnStatement.Change change, BoundValues values, RowSet rows)
      throws NotAnswerable {
    List<String> keys = TableQuery.texts(rows, KEY);
    List<Restriction> where = change.where();
    if (keys.isEmpty()
        && !change.deletes()
        && where.size() == 1
        && where.get(0).operator() == Operator.EQ) {
      String key = TableQuery.assigned(where, rows, values).get(KEY);
      return key != null && host.accepts(key) ? List.of(key) : keys;
    }
    return keys;
  }

  private void change(
      String key, @Nullable String value, Asker asker, Consumer<@Nullable String> then) {
    AuditLog.Changes log = context.audit().changes();
    host.change(
        key,
        value,
        asker.name(),
        this::apply,
        refusal -> {
          audit(log, key, value, asker.name(), refusal);
          asker.lane().run(() -> then.accept(refusal));
        });
  }

  /**
   * Changes a setting. Blocks while other settings are changed.
   *
   * @param value the new value; null restores the file's value
   * @param operator the operator, for the log
   * @return the reason why the change is refused; null on success
   */
  @Nullable String change(String key, @Nullable String value, String operator) {
    AuditLog.Changes log = context.audit().changes();
    String refusal = host.change(key, value, operator, this::apply);
    audit(log, key, value, operator, refusal);
    return refusal;
  }

  private void audit(
      AuditLog.Changes log,
      String key,
      @Nullable String value,
      String operator,
      @Nullable String refusal) {
    String shown = value == null || isLive(key) ? value : Secret.HIDDEN;
    log.changed(operator, "setting", key, shown, refusal);
  }

  /** Whether the setting can change. No secret can, so a value for another key may be one. */
  private boolean isLive(String key) {
    return host.settings().stream().anyMatch(each -> each.key().equals(key) && each.isLive());
  }

  /**
   * Applies new settings to the running proxy.
   *
   * @throws io.sluice.setting.RefusedSettings when they do not fit the cluster; nothing has changed
   *     then
   */
  void apply(LiveConfig next) {
    Rules rules = context.rules();
    rules.checkNewDatacenters(next.rules(), context.view().ring().datacenters());
    context.settings().updateAndGet(now -> next.exchange().inFleetOf(now));
    context.scheduler().change(next.exchange().scheduling());
    context.scheduler().requestTimeout(next.exchange().requestTimeout());
    operators.roles(next.roles());
    rules.change(next.rules());
    context.meters().rules(rules.facts());
    context.usage().change(next.slowLog());
    context.audit().change(next.audit());
  }
}
