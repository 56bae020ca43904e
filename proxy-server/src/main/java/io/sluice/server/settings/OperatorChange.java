package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A setting that an operator has changed since the start.
 *
 * @param value the value, as in a file
 * @param operator the operator, for display
 */
record OperatorChange(JsonNode value, String operator) {}
