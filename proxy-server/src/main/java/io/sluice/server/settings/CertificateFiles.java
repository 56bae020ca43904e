package io.sluice.server.settings;

import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Checks the certificates and keys that a configuration names. Stateless. */
final class CertificateFiles {

  private CertificateFiles() {}

  /** Returns a fault for each TLS section whose files cannot be used, with the first reason. */
  static List<Fault> faults(Settings settings) {
    return faults(settings, tls -> List.of());
  }

  /** Returns the same, and a fault for each certificate that has expired or is not valid yet. */
  static List<Fault> faultsNow(Settings settings) {
    return faults(settings, tls -> Stream.ofNullable(tls.validityFault()).toList());
  }

  private static List<Fault> faults(
      Settings settings, Function<Tls, List<InvalidSetting>> further) {
    List<InvalidSetting> found = new ArrayList<>();
    for (TlsConfig config :
        List.of(
            settings.cql().listen().tls(),
            settings.cluster().tls().config(),
            settings.admin().tlsConfig())) {
      try {
        found.addAll(further.apply(Tls.load(config)));
      } catch (RefusedSettings e) {
        found.addAll(e.all());
      }
    }
    return found.stream()
        .map(
            each ->
                new Fault(
                    each.key(), String.valueOf(each.value()), each.requirement(), each.advice()))
        .toList();
  }
}
