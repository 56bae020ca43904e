package io.sluice.tls;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of handshakes, failures and reloads of files. Safe for any thread. */
final class TlsCounts {

  private final Map<TlsCause, LongAdder> failures = new EnumMap<>(TlsCause.class);
  final LongAdder handshakes = new LongAdder();
  final LongAdder reloads = new LongAdder();
  final LongAdder refusedReloads = new LongAdder();

  TlsCounts() {
    for (TlsCause each : TlsCause.values()) {
      failures.put(each, new LongAdder());
    }
  }

  void failed(TlsCause cause) {
    LongAdder adder = failures.get(cause);
    if (adder != null) {
      adder.increment();
    }
  }

  long failures(TlsCause cause) {
    LongAdder adder = failures.get(cause);
    return adder == null ? 0 : adder.sum();
  }
}
