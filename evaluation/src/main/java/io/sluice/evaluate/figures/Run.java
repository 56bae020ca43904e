package io.sluice.evaluate.figures;

import java.util.List;
import java.util.Map;

/**
 * Everything one evaluation found out, in the order in which it was measured.
 *
 * @param kind scheduling, consistency, open-loop, workloads, cache, join or colocation
 * @param began date and time, with its zone
 * @param about machine, versions and settings, by section and name
 * @param samples all classes of all loads of all rounds
 * @param proxies what the proxies used
 * @param measures numbers that are no times of requests
 * @param curves quantities over the time of a step
 * @param incidents what went wrong meanwhile, so that figures of that time are in doubt
 * @param notes what a reader has to know to judge the figures
 */
public record Run(
    String kind,
    String began,
    Map<String, Map<String, String>> about,
    List<Sample> samples,
    List<ProxyUse> proxies,
    List<Measure> measures,
    List<Curve> curves,
    List<String> incidents,
    List<String> notes) {

  /** Takes copies of the lists. */
  public Run {
    samples = List.copyOf(samples);
    proxies = List.copyOf(proxies);
    measures = List.copyOf(measures);
    curves = List.copyOf(curves);
    incidents = List.copyOf(incidents);
    notes = List.copyOf(notes);
  }
}
