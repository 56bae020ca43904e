package io.sluice.evaluate.figures;

import java.util.List;
import java.util.Map;

/**
 * All results of one evaluation, in the order of measurement.
 *
 * @param kind scheduling, consistency, open-loop, workloads, cache, join or colocation
 * @param began date and time, with the zone
 * @param about machine, versions and settings, by section and name
 * @param samples one for each class of requests, load and round
 * @param proxies resource use of the proxies
 * @param measures other numbers than times of requests
 * @param curves quantities over the time of a step
 * @param incidents events that cast doubt on the figures of their time
 * @param notes facts that a reader needs to judge the figures
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

  /** Copies the lists. */
  public Run {
    samples = List.copyOf(samples);
    proxies = List.copyOf(proxies);
    measures = List.copyOf(measures);
    curves = List.copyOf(curves);
    incidents = List.copyOf(incidents);
    notes = List.copyOf(notes);
  }
}
