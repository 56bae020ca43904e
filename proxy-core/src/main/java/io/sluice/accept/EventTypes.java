package io.sluice.accept;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The types of events that a client can register for. */
final class EventTypes {

  /** Announces to a client that its connection will be closed (CEP-59). */
  static final String GRACEFUL_DISCONNECT = "GRACEFUL_DISCONNECT";

  private static final Set<String> ALL =
      Set.of("TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE", GRACEFUL_DISCONNECT);

  private EventTypes() {}

  /**
   * Returns the event types that a REGISTER names, in upper case. The caller keeps the frame.
   *
   * @throws ProtocolError when a type is unknown
   */
  static Set<String> of(Frame register) {
    Set<String> types = new TreeSet<>();
    for (String type : CqlCodec.readRegister(register)) {
      String upper = type.toUpperCase(Locale.ROOT);
      if (!ALL.contains(upper)) {
        throw ProtocolError.of(0, "Invalid value '" + type + "' for Type");
      }
      types.add(upper);
    }
    return types;
  }
}
