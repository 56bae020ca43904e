package io.sluice.console;

/**
 * One setting of the process, as {@code system_proxy.settings} shows it.
 *
 * @param key its key with dots, for example {@code cql.port}
 * @param value what holds; hidden where it is a secret
 * @param defaultValue what would hold if it were not set; empty for none
 * @param source where it comes from, {@code default}, {@code file} or {@code console}
 * @param changes when a change takes effect, {@code live} or at {@code restart}
 */
public record Setting(
    String key, String value, String defaultValue, String source, String changes) {}
