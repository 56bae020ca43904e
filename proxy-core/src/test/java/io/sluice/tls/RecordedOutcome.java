package io.sluice.tls;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A listener that records the outcome of one handshake, which is reported once. */
final class RecordedOutcome implements TlsListener {

  boolean secured;
  @Nullable TlsCause cause;
  final List<String> reasons = new ArrayList<>();

  @Override
  public void secured() {
    secured = true;
  }

  @Override
  public void failed(TlsCause failed, String reason) {
    cause = failed;
    reasons.add(reason);
  }
}
