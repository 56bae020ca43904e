package io.sluice.server.settings;

import io.sluice.setting.RefusedSettings;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import java.util.ArrayList;
import java.util.List;

/** Checks the certificates and keys that a configuration names. Stateless. */
final class CertificateFiles {

  private CertificateFiles() {}

  /** Returns a fault for each TLS section whose files cannot be used, with the first reason. */
  static List<Fault> faults(Settings settings) {
    List<Fault> faults = new ArrayList<>();
    for (TlsConfig config :
        List.of(
            settings.cql().listen().tls(),
            settings.cluster().tls().config(),
            settings.admin().tlsConfig())) {
      try {
        Tls.load(config);
      } catch (RefusedSettings e) {
        e.all()
            .forEach(
                each ->
                    faults.add(
                        new Fault(
                            each.key(),
                            String.valueOf(each.value()),
                            each.requirement(),
                            each.advice())));
      }
    }
    return faults;
  }
}
