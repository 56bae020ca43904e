package io.sluice;

import io.sluice.decide.rule.FleetView;
import io.sluice.decide.rule.Rules;
import io.sluice.fleet.Heartbeats;

/**
 * Exchanges the use of limits between the rules and the heartbeats of the fleet. Safe for any
 * thread.
 */
record DividedLimits(Rules rules) implements Heartbeats {

  @Override
  public String says(long beat) {
    return rules.fleetSays(beat);
  }

  @Override
  public void seen(Look look) {
    rules.fleetSeen(new FleetView(look.self(), look.beat(), look.others()));
  }

  @Override
  public void alone(int members) {
    rules.fleetAlone(members);
  }
}
