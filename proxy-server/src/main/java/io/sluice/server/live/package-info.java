/**
 * The live page of the admin port: what the proxy does now and did in the last hour. It consists of
 * one page of static files and one stream of data. The door is {@link
 * io.sluice.server.live.LivePage}.
 */
@org.jspecify.annotations.NullMarked
package io.sluice.server.live;
